import type { Chain, ChainResult, ChargeView } from '@subrail/core/ports';
import type { KeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import {
  actionsOf,
  DAY,
  type IssuedCheckout,
  openSubscriber,
  PRICE,
  settled,
  submitCheckout,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;

/** The `access_revoked` events so far: when each was written, and the date it is about. */
const revoked = async () =>
  (await world.storedEvents())
    .filter(({ type }) => type === 'subscription.access_revoked')
    .map(({ detail }) => (detail as { changed_at: string }).changed_at);

// events#access-ending-by-date
it('is stored before the chain is asked for others, which may not answer', async () => {
  ({ world, id } = await openSubscriber('paid', { endsAfter: 40 * DAY }));
  const end = String((await world.call('GET', '/plans/pro')).body['ends_at']);
  const untilEnd = () => new Date(end).getTime() - world.now().getTime();
  // The charge of another plan falls due half a minute before the first plan ends.
  await world.publishPlan(world.projectId, 'other', { period_hours: 39 * 24 });
  world.advance(untilEnd() - 39 * DAY - 30_000);
  const payer = await world.wallet(10n * PRICE);
  const { body } = await world.call('POST', '/subscriptions', { plan: 'other', wallet: payer.address });
  await submitCheckout(world, payer, body as unknown as IssuedCheckout);
  world.advance(30 * DAY);
  await world.work();
  world.advance(untilEnd() - 40_000);
  await world.work();
  world.advance(untilEnd());

  let release = (): void => undefined;
  const answered = new Promise<void>((resolve) => (release = resolve));
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  world.injectFaults((chain) => ({
    async readCharges(targets, commitment): Promise<readonly ChainResult<ChargeView>[]> {
      asked();
      await answered;
      return chain.readCharges(targets, commitment);
    },
  }));
  const pass = world.billing.worker.charge();
  await isAsked;
  expect(await revoked()).toEqual([end]);
  release();
  await pass;
  expect((await world.call('GET', `/subscriptions/${id}`)).body).toMatchObject({ access: false });
});

/** A chain of which no call answers until `release`. */
function hanging() {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const hang = (chain: Chain): Partial<Chain> => ({
    head: () => released.then(() => chain.head()),
    readPlans: (...args) => released.then(() => chain.readPlans(...args)),
    readCharges: (...args) => released.then(() => chain.readCharges(...args)),
    resolve: (...args) => released.then(() => chain.resolve(...args)),
    signCharges: (...args) => released.then(() => chain.signCharges(...args)),
  });
  return { hang, release: () => release() };
}

/** Runs the worker for some seconds as `run` does: each pass every second, unless its last one still runs. */
async function runFor(seconds: number, running: Map<string, Promise<unknown>>): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (const { name, run } of world.billing.worker.passes()) {
      if (name === 'deliveries' || running.has(name)) continue;
      running.set(
        name,
        run().finally(() => running.delete(name)),
      );
    }
    // What waits neither for the chain nor for the store ends within some turns of the event loop.
    await settled(50);
    world.advance(1_000);
  }
}

// events#access-ending-by-date
it.each([
  ['of a cancelled subscription', 'cancelled'],
  ['of a subscription on which a pass that waits for the chain works', 'blocked'],
] as const)('%s is stored within five seconds while no call of the chain answers', async (_, how) => {
  ({ world, wallet, id } = await openSubscriber('paid'));
  const { hang, release } = hanging();
  let end: string;
  if (how === 'cancelled') {
    const { body } = await actionsOf(world, wallet, id).act('cancel');
    end = (body['subscription'] as { access_until: string }).access_until;
  } else {
    const silent = async (targets: readonly unknown[]): Promise<readonly ChainResult<ChargeView>[]> =>
      targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }));
    world.advance(30 * DAY);
    world.injectFaults(() => ({ readCharges: silent }));
    await world.work();
    end = (await world.call('GET', `/subscriptions/${id}`)).body['access_until'] as string;
    // The next try falls due three seconds before the date, and waits for the chain past it.
    world.advance(new Date(end).getTime() - world.now().getTime() - 603_000);
    await world.work();
  }
  const running = new Map<string, Promise<unknown>>();
  world.advance(new Date(end).getTime() - world.now().getTime() - 60_000);
  // The clocks are compared after the jump.
  await world.work();
  world.advance(new Date(end).getTime() - world.now().getTime() - 5_000);
  world.injectFaults(hang);
  await runFor(5, running);
  expect(await revoked()).toEqual([]);
  await runFor(5, running);
  expect(await revoked()).toEqual([end]);

  await runFor(60, running);
  world.clearFaults();
  release();
  await Promise.all(running.values());
  world.advance(120_000);
  await world.work();
  expect(await revoked()).toEqual([end]);
  const { body } = await world.call('GET', `/subscriptions/${id}`);
  expect(body).toMatchObject(
    how === 'cancelled' ? { status: 'ended', access: false } : { status: 'active', access: true },
  );
});
