import { MINUTE, DAY, openTestWorld, PRICE, type ChainFault, type TestWorld } from '@subrail/test-world';
import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it, vi } from 'vitest';

let world: TestWorld;
let wallet: KeyPairSigner;
let sent: number;

beforeEach(async () => {
  sent = 0;
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

/** Every server accepts what is sent, and none passes it on. */
const dropped: ChainFault = () => ({
  async send(wires) {
    sent += wires.length;
    return wires.map(() => ({ kind: 'sent' as const }));
  },
});

/** No two charges share a transaction. */
const signedAlone: ChainFault = (chain) => ({
  async signCharges(orders) {
    const signed = await Promise.all(orders.map((order) => chain.signCharges([order])));
    const failed = signed.find(({ ok }) => !ok);
    return failed ?? { ok: true, value: signed.flatMap((one) => (one.ok ? one.value : [])) };
  },
});

/** Passes of the worker of one host, or of several in turn, half a minute apart. */
async function pass(minutes: number, ...workers: readonly TestWorld['billing'][]): Promise<void> {
  const hosts = workers.length === 0 ? [world.billing] : workers;
  for (let half = 0; half < 2 * minutes; half += 1) {
    world.advance(MINUTE / 2);
    await hosts[half % hosts.length]?.worker.charge();
  }
}

const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

async function attempts(id: string) {
  const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
  const { data } = body as unknown as { readonly data: Record<string, unknown>[] };
  return [...data].reverse().slice(1);
}

async function alerts(): Promise<readonly string[]> {
  return (await world.billing.metrics()).alerts.map(({ key }) => key);
}

// attempts#repeated-losses
describe('three lost transactions in a row of a subscription', () => {
  it('block it for ten minutes, after each further loss too, until a charge lands', async () => {
    const id = await world.subscribe(wallet);
    world.advance(30 * DAY);
    world.injectFaults(dropped);
    await pass(8);
    const first = await attempts(id);
    expect(first).toMatchObject([
      {
        outcome: 'blocked',
        reason: 'transport',
        amount: PRICE.toString(),
        period_start: expect.any(String) as string,
      },
    ]);
    expect(sent).toBeGreaterThanOrEqual(3);
    const blocked = await read(id);
    expect(blocked).toMatchObject({ status: 'active', access: true, blocked_reason: 'mesub' });
    const at = Date.parse(String(first[0]?.['attempted_at']));
    expect(blocked['next_charge_at']).toBe(new Date(at + 10 * MINUTE).toISOString());
    expect(await alerts()).toContain('transactions_lost:in_a_row');

    const before = sent;
    await pass(16);
    expect(await attempts(id)).toHaveLength(2);
    expect(sent).toBeGreaterThan(before);
    // It lasts while one try after the other is lost.
    expect(await alerts()).toContain('transactions_lost:in_a_row');

    world.clearFaults();
    await pass(12);
    expect((await attempts(id)).map(({ outcome }) => outcome)).toEqual(['blocked', 'blocked', 'paid']);
    expect(await read(id)).toMatchObject({ status: 'active', blocked_since: null, blocked_reason: null });
    expect(await world.holding(world.owner)).toBe(2n * PRICE);
  });

  it('are found without reading every transfer of the subscription', async () => {
    const id = await world.subscribe(wallet);
    const listed = vi.spyOn(world.store, 'listTransfers');
    world.advance(30 * DAY);
    world.injectFaults(dropped);
    await pass(8);
    expect(await attempts(id)).toMatchObject([{ outcome: 'blocked', reason: 'transport' }]);
    expect(new Set(listed.mock.calls.map(([, limit]) => limit))).toEqual(new Set([3]));
  });

  it('are counted from the records, whichever host lost them', async () => {
    const id = await world.subscribe(wallet);
    const hosts = [0, 1, 2, 3].map(() => world.host(world.store).billing);
    world.advance(30 * DAY);
    world.injectFaults(dropped);
    await pass(8, ...hosts);
    expect(await attempts(id)).toMatchObject([{ outcome: 'blocked', reason: 'transport' }]);
  });

  // blocks#silence-inside-a-block
  it("leave the reason of the plan's block, within which they happen", async () => {
    const id = await world.subscribe(wallet);
    const outside = await world.outside(wallet);
    await outside.removeCharger();
    world.advance(30 * DAY);
    await world.billing.worker.charge();
    expect(await read(id)).toMatchObject({ blocked_reason: 'puller_not_allowed' });
    await outside.addCharger();
    world.injectFaults(dropped);
    await pass(20);
    expect((await attempts(id)).map(({ reason }) => reason)).toEqual(['puller_not_allowed', 'transport']);
    expect(await read(id)).toMatchObject({ blocked_reason: 'puller_not_allowed' });
  });
});

// attempts#repeated-losses
describe('the loss of a tenth of all transactions', () => {
  it('blocks what was lost at its first loss, and holds up nothing else', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1)
      ids.push(await world.subscribe(await world.wallet(10n * PRICE), `customer-${count}`));
    world.advance(5 * MINUTE);
    const dueLater = await world.subscribe(wallet, 'due later');
    world.advance(30 * DAY - 5 * MINUTE);
    world.injectFaults(signedAlone, dropped);
    await pass(3);
    const reasons = async () =>
      (await Promise.all(ids.map(attempts))).map((list) =>
        list.map(({ outcome, reason }) => reason ?? outcome),
      );
    expect(await reasons()).toEqual(ids.map(() => ['transport']));
    expect(await alerts()).toContain('transactions_lost:share');
    expect(await alerts()).not.toContain('transactions_lost:in_a_row');

    world.clearFaults();
    await pass(3);
    expect(await attempts(dueLater)).toMatchObject([{ outcome: 'paid' }]);
    expect(await reasons()).toEqual(ids.map(() => ['transport']));
    await pass(8);
    expect(await reasons()).toEqual(ids.map(() => ['transport', 'paid']));
  });

  it('is no share while fewer than three are lost, however many charges share them', async () => {
    const id = await world.subscribe(wallet);
    for (let count = 0; count < 4; count += 1)
      await world.subscribe(await world.wallet(10n * PRICE), `customer-${count}`);
    world.advance(30 * DAY);
    world.injectFaults(dropped);
    await pass(2);
    expect(sent).toBeGreaterThanOrEqual(2);
    expect(await attempts(id)).toEqual([]);
    expect(await alerts()).not.toContain('transactions_lost:share');
  });
});
