import { describe, expect, it } from 'vitest';
import { type Methods, chainOn } from '../tests/chain-on.js';
import { FakeRpcError } from '../tests/fake-rpc.js';
import { LocalWorld } from '../tests/local-world.js';

const SINCE = new Date('2026-01-01T00:00:00.000Z');
const SINCE_SECONDS = BigInt(SINCE.getTime() / 1000);
const UNAVAILABLE = { ok: false, unavailable: { kind: 'transport' } };
const { target } = await LocalWorld.open();

/** What the chain over one node answers for the history since `SINCE`, seen at slot 50. */
async function historyOn(methods: Methods) {
  const { chain, called } = chainOn(methods);
  return { answer: await chain.readHistory({ ...target, since: SINCE, slot: 50n }), called };
}

const failedAt = (blockTime: bigint | null) => ({
  signature: '1'.repeat(64),
  slot: 40n,
  err: { InstructionError: [0, 'Custom'] },
  blockTime,
});
const firstBlock = (blockHeight: bigint, blockTime: bigint | null): Methods => ({
  getFirstAvailableBlock: () => 7n,
  getBlock: () => ({ blockHeight, blockTime }),
});

// attempts#history-of-the-account
describe('the history of an account', () => {
  it.each<[string, Methods]>([
    ['begins with the first block of the chain', { getFirstAvailableBlock: () => 0n }],
    ['begins with the first block of a chain that began at a later slot', firstBlock(0n, SINCE_SECONDS + 9n)],
    ['begins before the time that is asked for', firstBlock(5n, SINCE_SECONDS)],
  ])('is empty on a node whose history %s', async (_, methods) => {
    const { answer } = await historyOn({ getSignaturesForAddress: () => [], ...methods });
    expect(answer).toEqual({ ok: true, value: { payments: [], createdAt: null } });
  });

  it.each<[string, Methods]>([
    ['begins later', firstBlock(5n, SINCE_SECONDS + 1n)],
    ['begins nobody knows when', firstBlock(5n, null)],
    [
      'has lost its first block',
      {
        getFirstAvailableBlock: () => 7n,
        getBlock: () => {
          throw new FakeRpcError(-32001);
        },
      },
    ],
  ])('is unavailable on a node whose history %s', async (_, methods) => {
    expect((await historyOn({ getSignaturesForAddress: () => [], ...methods })).answer).toMatchObject({
      ok: false,
    });
  });

  it('is complete as far as an older transaction that names the account, whatever the node still has', async () => {
    const { answer, called } = await historyOn({
      getSignaturesForAddress: () => [failedAt(SINCE_SECONDS + 1n), failedAt(SINCE_SECONDS - 1n)],
    });
    expect(answer).toMatchObject({ ok: true });
    expect(called).toEqual(['getSignaturesForAddress']);
  });

  it('is asked of a node that has reached the slot of the read', async () => {
    const asked: unknown[] = [];
    await historyOn({
      getFirstAvailableBlock: () => 0n,
      getSignaturesForAddress: (params) => {
        asked.push(params[1]);
        return [];
      },
    });
    expect(asked).toMatchObject([{ commitment: 'confirmed', minContextSlot: 50 }]);
  });

  it('is unavailable when a transaction that it lists cannot be read', async () => {
    const { answer } = await historyOn({
      getFirstAvailableBlock: () => 0n,
      getSignaturesForAddress: () => [{ ...failedAt(SINCE_SECONDS), err: null }],
      getTransaction: () => null,
    });
    expect(answer).toEqual(UNAVAILABLE);
  });
});
