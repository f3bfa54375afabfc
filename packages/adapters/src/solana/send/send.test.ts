import { ManualClock } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';
import { type Methods, chainOn, nodeWith, timedBy } from '../tests/chain-on.js';
import { FakeRpcError, fakeTransport, neverResponds } from '../tests/fake-rpc.js';
import { FUNDED, order } from '../tests/funded-charger.js';

const signed = await chainOn(FUNDED).chain.signCharges([order, { ...order, amount: 1n }]);
if (!signed.ok) throw new Error('not signed');
const [first, second] = signed.value;
if (first === undefined || second === undefined) throw new Error('not signed');

describe('sending', () => {
  const outcome = async (sendTransaction: Methods[string]) => {
    const [result] = await chainOn({ sendTransaction }).chain.send([first.wire]);
    return result;
  };
  const failing = (code: number, data?: unknown) => () => {
    throw new FakeRpcError(code, data);
  };

  it('sends without preflight', async () => {
    const seen: unknown[] = [];
    const sent = await outcome((params) => {
      seen.push(params);
      return first.signature;
    });
    expect(sent).toEqual({ kind: 'sent' });
    expect(seen).toEqual([
      [first.wire, expect.objectContaining({ encoding: 'base64', skipPreflight: true })],
    ]);
  });

  // program#repeated-sends
  it('treats AlreadyProcessed as sent', async () => {
    expect(await outcome(failing(-32002, { err: 'AlreadyProcessed' }))).toEqual({ kind: 'sent' });
  });

  // attempts#send-timeout-proves-nothing
  it.each([
    [
      'a preflight that failed for lack of tokens',
      failing(-32002, { err: { InstructionError: [2, { Custom: 1 }] } }),
    ],
    [
      'a preflight that failed in a way that may pass',
      failing(-32002, { err: { InstructionError: [2, { Custom: 400 }] } }),
    ],
    ['a node that does not know the blockhash', failing(-32002, { err: 'BlockhashNotFound' })],
    ['a node that reports a wrong signature', failing(-32003)],
    ['a node that reports wrong parameters', failing(-32602)],
    ['an unhealthy node', failing(-32005)],
    ['the signature of another transaction', () => second.signature],
    ['no signature', () => null],
    ['no response', () => Promise.reject(new Error('reset'))],
  ])('has an unknown outcome after %s', async (_, sendTransaction) => {
    expect(await outcome(sendTransaction)).toEqual({ kind: 'unknown' });
  });

  it('refuses a text that is not a transaction', async () => {
    const { chain, called } = chainOn({});
    expect(await chain.send(['AAAA'])).toEqual([
      { kind: 'refused', refusal: { kind: 'chain', code: 7050014 } },
    ]);
    expect(called).toEqual([]);
  });

  it('returns an outcome for each transaction, in their order', async () => {
    const { chain } = chainOn({
      sendTransaction: ([wire]) => (wire === first.wire ? first.signature : failing(-32005)()),
    });
    expect(await chain.send([second.wire, first.wire, second.wire])).toEqual([
      { kind: 'unknown' },
      { kind: 'sent' },
      { kind: 'unknown' },
    ]);
  });
});

// attempts#every-url-gets-the-bytes
describe('sending to several URLs', () => {
  const accepting = () => nodeWith({ sendTransaction: () => first.signature });
  const sentTo = ({ methods }: ReturnType<typeof nodeWith>) =>
    methods.filter((method) => method === 'sendTransaction').length;

  it('hands the bytes to each of them', async () => {
    const nodes = [accepting(), accepting(), accepting()];
    const { chain } = chainOn({}, { rpc: nodes.map(({ transport }) => transport) });
    expect(await chain.send([first.wire])).toEqual([{ kind: 'sent' }]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(nodes.map(sentTo)).toEqual([1, 1, 1]);
  });

  it.each([
    ['hangs', fakeTransport(neverResponds)],
    ['refuses them', nodeWith({})],
  ])('does not wait for one that %s', async (_, other) => {
    const rpc = [other, accepting()].map(({ transport }) => transport);
    // Time stands still.
    const { chain } = chainOn({}, { rpc, ...timedBy(new ManualClock(new Date())) });
    expect(await chain.send([first.wire])).toEqual([{ kind: 'sent' }]);
  });

  it('prefers another URL after a loss', async () => {
    const height = first.lastValidBlockHeight + 1n;
    const nodes = [1, 2].map(() =>
      nodeWith({
        sendTransaction: () => first.signature,
        getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: height }),
        getSignatureStatuses: () => ({ context: { slot: 5_000n }, value: [null] }),
        getFirstAvailableBlock: () => 0n,
        getLatestBlockhash: () => ({ context: { slot: 5_000n }, value: { lastValidBlockHeight: height } }),
        getMultipleAccounts: () => ({ context: { slot: 5_000n }, value: [null] }),
      }),
    );
    const { chain } = chainOn({}, { rpc: nodes.map(({ transport }) => transport) });
    const readsBy = async () => {
      await chain.readPlan(order.plan.address);
      return nodes.map(({ methods }) => methods.filter((method) => method === 'getMultipleAccounts').length);
    };
    await chain.resolve([first]);
    await chain.resolve([first]);
    expect(await readsBy()).toEqual([1, 0]);
    await chain.send([first.wire]);
    expect(await chain.resolve([first])).toEqual([{ kind: 'not_found' }]);
    expect(await readsBy()).toEqual([2, 0]);
    // Only the second look-up makes it a loss.
    expect(await chain.resolve([first])).toEqual([{ kind: 'not_found' }]);
    expect(await readsBy()).toEqual([2, 1]);
    await chain.resolve([first]);
    expect(await readsBy()).toEqual([2, 2]);
  });
});
