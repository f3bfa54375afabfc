// Heavy: each fault of the RPC server is waited out, in moved time.

import type { SubscriptionId } from '@subrail/core/ports';
import { MINUTE, DAY, openTestWorld, PRICE, storedSubscription, type TestWorld } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

import { expectInvariants } from '../invariants/expect-invariants.js';
import {
  answeringLate,
  answersOfSendsLost,
  createFaultyNode,
  denying,
  doingAllTwice,
  keepingSends,
  lagging,
  refusing,
  silent,
  silentAfterSend,
  withoutHistory,
  type FaultyNode,
  type NodeFault,
} from './faulty-node.js';

const PERIOD = 10 * DAY;

/** A subscription over two nodes, and how it looks once the faults are over. */
async function openFaults(skewMs = 0) {
  const nodes: FaultyNode[] = [];
  const world = await openTestWorld({
    store: 'sqlite',
    periodHours: 240,
    skewMs,
    nodes: (node) => {
      nodes.push(createFaultyNode(node), createFaultyNode(node));
      return nodes.map(({ transport }) => transport);
    },
  });
  const wallet = await world.wallet(20n * PRICE);
  const id = await world.subscribe(wallet);
  const subscribedAt = world.now();
  // A request goes by the service's clock. A pass goes by the chain's, when it is over two minutes away.
  const followsChain = Math.abs(skewMs) > 2 * MINUTE;
  const chainTime = (instant: Date) =>
    followsChain && instant > subscribedAt ? instant : world.chainTime(instant);
  return { world: { ...world, chainTime }, id, nodes };
}

/** Charges for a while, each pass a minute after the one before. */
async function passes(world: TestWorld, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await world.billing.worker.charge();
    world.advance(MINUTE);
  }
}

/** A healthy chain charges `paid` periods in all, each once, and leaves nothing in flight. */
async function expectSettled(world: TestWorld, id: string, paid: number): Promise<void> {
  for (const minutes of [1, 1, 10, 1]) {
    await world.billing.worker.charge();
    world.advance(minutes * MINUTE);
  }
  await world.work();
  const transfers = await world.store.listTransfers(id as SubscriptionId, 99);
  expect(transfers.filter(({ state }) => state === 'open')).toEqual([]);
  expect(await storedSubscription(world, id)).toMatchObject({ status: 'active', paidCount: paid });
  await expectInvariants(world, [id]);
  for (const text of ['transport', 'network_unavailable', 'clock']) world.forgiveErrors(text);
}

/** What one of the two nodes, or both, do wrong while a charge is due. */
const FAULTS: readonly (readonly [string, (nodes: readonly FaultyNode[]) => void])[] = [
  ['both nodes are silent', all(() => silent)],
  ['both nodes refuse connections', all(() => refusing)],
  ['the first node is silent', first(() => silent)],
  ['the first node refuses connections', first(() => refusing)],
  ['both nodes go silent once they took a transaction', all(silentAfterSend)],
  ['the answers to sends are lost', all(() => answersOfSendsLost)],
  ['both nodes take transactions that never land', all(() => keepingSends().fault)],
  ['the first node takes transactions that never land', first(() => keepingSends().fault)],
  ['both nodes do everything twice', all(() => doingAllTwice)],
  ['both nodes give the answer to the call before', all(answeringLate)],
  ['the first node lags', first(lagging)],
  ['both nodes lag', all(lagging)],
  ['the first node has forgotten every transaction', first(() => withoutHistory)],
  ['both nodes have forgotten every transaction', all(() => withoutHistory)],
  ['the first node has forgotten every transaction and says that it has every block', first(() => denying)],
  ['both nodes have forgotten every transaction and say that they have every block', all(() => denying)],
];

function first(make: () => NodeFault) {
  return ([node]: readonly FaultyNode[]) => {
    if (node !== undefined) node.fault = make();
  };
}

function all(make: () => NodeFault) {
  return (nodes: readonly FaultyNode[]) => {
    for (const node of nodes) node.fault = make();
  };
}

// invariants#one-payment-per-period, invariants#landed-transfers-match-paid-attempts,
// attempts#lost-transaction
describe('a period is paid once, and nothing stays in flight, when', () => {
  it.each(FAULTS)('%s', async (_, inject) => {
    const { world, id, nodes } = await openFaults();
    world.advance(PERIOD);
    inject(nodes);
    await passes(world, 6);
    for (const node of nodes) node.fault = null;
    await expectSettled(world, id, 2);
    world.advance(PERIOD);
    await expectSettled(world, id, 3);
  });

  it.each([20, 40])('a transfer lands %i seconds after its answer', async (seconds) => {
    const { world, id, nodes } = await openFaults();
    world.advance(PERIOD);
    const kept = keepingSends();
    for (const node of nodes) node.fault = kept.fault;
    await world.billing.worker.charge();
    world.advance(seconds * 1_000);
    await kept.release();
    for (const node of nodes) node.fault = null;
    await expectSettled(world, id, 2);
  });

  // billing-periods#waiting-for-the-chain-clock
  it.each([-600_000, -90_000, 90_000, 600_000])(
    "the service's clock is %i ms ahead of the chain's",
    async (skewMs) => {
      const { world, id } = await openFaults(skewMs);
      for (const paid of [2, 3]) {
        world.advance(PERIOD);
        await expectSettled(world, id, paid);
      }
    },
  );
});
