// Heavy: many wallets subscribe, so that their charges share transactions.

import type { KeyPairSigner } from '@solana/kit';
import type { Chain, FullStore } from '@subrail/core/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  MONTH,
  MINUTE,
  type ChainFault,
  beforeSend,
  openTestWorld,
  outcomesUnknown,
  PRICE,
  sendsLost,
  type TestWorld,
} from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

const CUSTOMERS = 6;

let world: TestWorld;
let wallets: KeyPairSigner[];
let ids: string[];
/** Every transaction that the service sent, and how many charges it makes. */
let sent: Map<string, number>;

/** Records how many charges each signed transaction makes, and which are sent. */
function watched(chain: Chain): Chain {
  const charges = new Map<string, number>();
  return {
    ...chain,
    async signCharges(orders) {
      const signed = await chain.signCharges(orders);
      if (signed.ok) for (const { wire } of signed.value) charges.set(wire, (charges.get(wire) ?? 0) + 1);
      return signed;
    },
    async send(wires) {
      for (const wire of wires) if (charges.has(wire)) sent.set(wire, charges.get(wire) ?? 0);
      return chain.send(wires);
    },
  };
}

/** Six customers who have paid the first month, and whose second month is due now. */
beforeEach(async () => {
  sent = new Map();
  world = await openTestWorld({ store: 'sqlite', wrapChain: watched });
  wallets = [];
  ids = [];
  for (let count = 0; count < CUSTOMERS; count += 1) {
    const wallet = await world.wallet(3n * PRICE);
    wallets.push(wallet);
    ids.push(await world.subscribe(wallet));
  }
  world.advance(MONTH);
});

afterEach(async () => {
  await expectInvariants(world, ids);
});

function walletOf(index: number): KeyPairSigner {
  const wallet = wallets[index];
  if (wallet === undefined) throw new Error(`There is no customer ${index}.`);
  return wallet;
}

/** The attempts of each customer after the first payment, as `outcome reason`. */
async function attempts(): Promise<readonly (readonly string[])[]> {
  const all = [];
  for (const id of ids) {
    const { body } = await world.call('GET', `/subscriptions/${id}/attempts`);
    const listed = [...(body['data'] as Record<string, unknown>[])].reverse().slice(1);
    all.push(listed.map(({ outcome, reason }) => `${String(outcome)} ${String(reason)}`));
  }
  return all;
}

/** The same attempts for every customer, but for those given. */
const each = (usual: readonly string[], other: Readonly<Record<number, readonly string[]>> = {}) =>
  ids.map((_, index) => other[index] ?? usual);

const PAID = ['paid null'];

/** How many charges each transaction makes that was sent, the largest first. */
const sizes = () => [...sent.values()].toSorted((a, b) => b - a);

async function transfers() {
  return (await Promise.all(ids.map((id) => world.store.listTransfers(id as never, 99)))).flat();
}

/** Acts once, after the service has read the chain for its charges. */
function afterRead(act: () => Promise<void>): ChainFault {
  let done = false;
  return (chain) => ({
    async readCharges(targets, commitment) {
      const views = await chain.readCharges(targets, commitment);
      if (!done) {
        done = true;
        await act();
      }
      return views;
    },
  });
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await act();
  };
}

const emptyWallet = (index: number) => () => world.take(walletOf(index), 2n * PRICE);
const freezeWallet = (index: number) => async () => (await world.outside(walletOf(index))).freeze('wallet');

// attempts#shared-transaction
describe('charges that are due together', () => {
  // attempts#network-fee
  it('share transactions, and each has its own attempt, payment and share of the fee', async () => {
    await world.work();
    expect(sizes()).toEqual([4, 2]);
    expect(await attempts()).toEqual(each(PAID));
    const charges = (await transfers()).filter(({ kind }) => kind === 'charge');
    expect(charges.map(({ lamports }) => lamports).toSorted()).toEqual([
      ...[1_250n, 1_250n, 1_250n, 1_250n],
      ...[2_500n, 2_500n],
    ]);
    expect(await world.holding(world.owner)).toBe(BigInt(2 * CUSTOMERS) * PRICE);
  });

  it('are charged without the one that the read shows to be short', async () => {
    await emptyWallet(2)();
    await world.work();
    expect(sizes()).toEqual([4, 1]);
    expect(await attempts()).toEqual(each(PAID, { 2: ['rejected insufficient_balance'] }));
  });

  it.each([
    ['short', emptyWallet, ['rejected program_1']],
    ['frozen', freezeWallet, ['blocked program_17', 'rejected token_account_frozen']],
  ] as const)(
    'are charged without one that was %s since the read, which is tried alone',
    async (_, spoil, tried) => {
      world.injectFaults(afterRead(spoil(2)));
      await world.billing.worker.charge();
      expect(sizes().slice(-1)).toEqual([1]);
      world.advance(10_000);
      await world.billing.worker.charge();
      expect(await attempts()).toEqual(each(PAID, { 2: tried }));
    },
  );

  it.each([
    ['short', emptyWallet, ['rejected program_1']],
    ['frozen', freezeWallet, ['blocked program_17', 'rejected token_account_frozen']],
  ] as const)(
    'are undone by one that was %s since the simulation, and charged again without it',
    async (_, spoil, tried) => {
      world.injectFaults(beforeSend(once(spoil(2))));
      await world.work();
      expect(await attempts()).toEqual(each(PAID, { 2: tried }));
      const undone = (await transfers()).filter(({ state }) => state === 'failed');
      expect(undone.reduce((sum, { lamports }) => sum + (lamports ?? 0n), 0n)).toBe(5_000n);
    },
  );
});

/** A host whose store refuses every next transfer of a subscription that shares a transaction with three. */
function hostThatConflicts() {
  let conflicting: string | null = null;
  const store: FullStore = {
    ...world.store,
    commit: async (changes, figures) => {
      const written = changes.flatMap((change) => change.transfers);
      const isShared = ({ signature }: (typeof written)[number]) =>
        written.filter((one) => one.signature === signature).length === 4;
      conflicting ??= written.find(isShared)?.subscriptionId ?? null;
      return written.some(({ subscriptionId }) => subscriptionId === conflicting)
        ? 'lost'
        : world.store.commit(changes, figures);
    },
  };
  return { host: world.host(store), conflicting: () => ids.indexOf(conflicting ?? '') };
}

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts
describe('a transaction that several charges share', () => {
  it('is not sent when one of them changed meanwhile, and the others are charged by themselves', async () => {
    const { host, conflicting } = hostThatConflicts();
    await host.billing.worker.charge();
    expect(sizes()).toEqual([2, 1, 1, 1]);
    world.advance(10_000);
    await host.billing.worker.charge();
    expect(await attempts()).toEqual(each(PAID, { [conflicting()]: [] }));
    // The one that conflicted is charged when its lease ends.
    world.advance(MINUTE);
    await world.work();
    expect(await attempts()).toEqual(each(PAID));
  });

  it('is sent by the next worker when the process died after it was stored', async () => {
    await new Promise<void>((stored) => {
      world.injectFaults(() => ({
        send: () => {
          stored();
          return new Promise(() => {});
        },
      }));
      void world.billing.worker.charge();
    });
    world.clearFaults();
    expect(await world.holding(world.owner)).toBe(BigInt(CUSTOMERS) * PRICE);
    world.advance(10_000);
    await world.work();
    expect(sizes()).toEqual([4, 2]);
    expect(await attempts()).toEqual(each(PAID));
  });

  // attempts#lost-transaction
  it('is made again, once for each charge, when it never landed', async () => {
    world.injectFaults(sendsLost);
    await world.billing.worker.charge();
    world.advance(5 * MINUTE);
    await world.billing.worker.charge();
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    expect(await attempts()).toEqual(each(PAID));
    expect((await transfers()).filter(({ state }) => state === 'lost')).toHaveLength(CUSTOMERS);
    expect(await world.holding(world.owner)).toBe(BigInt(2 * CUSTOMERS) * PRICE);
  });

  // attempts#long-wait-recorded-once
  it('is not sent again while its outcome is unknown, and pays each once it is known', async () => {
    await world.billing.worker.charge();
    world.injectFaults(outcomesUnknown);
    const first = new Map(sent);
    sent.clear();
    for (let minutes = 0; minutes < 30; minutes += 1) {
      world.advance(MINUTE);
      await world.billing.worker.charge();
    }
    expect(sent.size).toBe(0);
    world.clearFaults();
    world.advance(MINUTE);
    await world.work();
    expect(first.size).toBe(2);
    expect(await attempts()).toEqual(each(['blocked landing_unknown', 'paid null']));
    expect(await world.holding(world.owner)).toBe(BigInt(2 * CUSTOMERS) * PRICE);
  });
});
