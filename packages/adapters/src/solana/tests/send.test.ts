import type { ChargeOrder } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { createAddresses } from '../program/addresses.js';
import { recipeOf } from '../transaction-kinds.js';
import { type Methods, chainOn, charger } from './chain-on.js';
import { FakeRpcError } from './fake-rpc.js';
import { PLAN, WALLET, chargeView, key } from './charge-view.js';
import { decodeWire, wireOf } from '../wire.js';
import { compile } from '../message.js';
import { blockhash } from '@solana/kit';

const order: ChargeOrder = { plan: PLAN, wallet: WALLET, amount: 10_000_000n, receiverAccount: key(5) };
const inContext = (value: unknown) => () => ({ context: { slot: 5_000n }, value });

const FUNDED: Methods = {
  getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight: 150n }),
  getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: 0n }),
  getBalance: inContext(1_000_000_000n),
  getFeeForMessage: inContext(5_000n),
  getMinimumBalanceForRentExemption: () => 890_880n,
};

const signed = await chainOn(FUNDED).chain.signCharges([order, { ...order, amount: 1n }]);
if (!signed.ok) throw new Error('not signed');
const [first, second] = signed.value;
if (first === undefined || second === undefined) throw new Error('not signed');

describe('signing charges', () => {
  it('signs all on one blockhash, and sends nothing', async () => {
    const { chain, asked } = chainOn(FUNDED);
    const answer = await chain.signCharges([order, { ...order, amount: 1n }]);
    expect(answer).toMatchObject({
      ok: true,
      value: [{ lastValidBlockHeight: 150n }, { lastValidBlockHeight: 150n }],
    });
    expect(asked.toSorted()).toEqual([
      'getBalance',
      'getEpochInfo',
      'getFeeForMessage',
      'getLatestBlockhash',
      'getMinimumBalanceForRentExemption',
    ]);
    expect(first.signature).not.toBe(second.signature);
    expect(decodeWire(first.wire)?.message.lifetimeToken).toBe(key(9));
  });

  it('pays the account the order names', () => {
    const message = decodeWire(first.wire)?.message;
    const accounts = message?.instructions[2]?.accountIndices?.map((index) => message.staticAccounts[index]);
    expect(accounts?.[4]).toBe(key(5));
  });

  it.each([
    ['with nothing', { getBalance: inContext(0n) }, 7050003],
    ['with less than the fee', { getBalance: inContext(4_999n) }, 7050005],
    ['whose account would be left below its rent', { getBalance: inContext(895_879n) }, 7050031],
  ])('a charger %s signs nothing, and the number says why', async (_, methods, code) => {
    const { chain } = chainOn({ ...FUNDED, ...methods });
    expect(await chain.signCharges([order])).toEqual({ ok: false, unavailable: { kind: 'rpc', code } });
  });

  it.each([5_000n, 895_880n])('a charger with %s lamports can pay', async (balance) => {
    const { chain } = chainOn({ ...FUNDED, getBalance: inContext(balance) });
    expect(await chain.signCharges([order])).toMatchObject({ ok: true });
  });

  it.each([
    'getLatestBlockhash',
    'getEpochInfo',
    'getBalance',
    'getFeeForMessage',
    'getMinimumBalanceForRentExemption',
  ])('without %s nothing is signed', async (method) => {
    const { [method]: _, ...rest } = FUNDED;
    const { chain } = chainOn(rest);
    expect(await chain.signCharges([order])).toEqual({
      ok: false,
      unavailable: { kind: 'rpc', code: -32601 },
    });
  });

  /** Signs on a blockhash said to be good until `last`, the chain being at height 1,000. */
  const signedUntil = (last: bigint) =>
    chainOn({
      ...FUNDED,
      getEpochInfo: () => ({ absoluteSlot: 5_000n, blockHeight: 1_000n }),
      getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight: last }),
    }).chain.signCharges([order]);

  it.each([1n, 1_099n, 1_167n, 9_000_000_000_000n])(
    'attempts#results-of-a-sent-transaction: on a blockhash that cannot be good until height %s, nothing is signed',
    async (last) => {
      expect(await signedUntil(last)).toEqual({ ok: false, unavailable: { kind: 'transport' } });
    },
  );

  it.each([1_100n, 1_150n, 1_166n])('on one that can be good until %s, it is', async (last) => {
    expect(await signedUntil(last)).toMatchObject({ ok: true, value: [{ lastValidBlockHeight: last }] });
  });

  it('attempts#results-of-a-sent-transaction: holds the lifetime against the height at confirmed, as told by the same endpoint', async () => {
    const seen: unknown[] = [];
    const getEpochInfo = (params: readonly unknown[]) => {
      seen.push(params);
      return { absoluteSlot: 5_000n, blockHeight: 0n };
    };
    await chainOn({ ...FUNDED, getEpochInfo }).chain.signCharges([order]);
    expect(seen).toEqual([[{ commitment: 'confirmed' }]]);
  });

  it('of nothing is nothing', async () => {
    expect(await chainOn(FUNDED).chain.signCharges([])).toEqual({ ok: true, value: [] });
  });
});

describe('sending: only what can never land is refused, all else is looked up', () => {
  const outcome = async (sendTransaction: Methods[string]) => {
    const [result] = await chainOn({ sendTransaction }).chain.send([first.wire]);
    return result;
  };
  const failing = (code: number, data?: unknown) => () => {
    throw new FakeRpcError(code, data);
  };

  it('is sent without a trial run', async () => {
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

  it('a node that knows it already was sent it', async () => {
    expect(await outcome(failing(-32002, { err: 'AlreadyProcessed' }))).toEqual({ kind: 'sent' });
  });

  it.each([
    [
      'a trial that failed for want of money',
      failing(-32002, { err: { InstructionError: [2, { Custom: 1 }] } }),
    ],
    [
      'a trial that failed in a way it need not fail later',
      failing(-32002, { err: { InstructionError: [2, { Custom: 400 }] } }),
    ],
    ['a node that does not know the blockhash', failing(-32002, { err: 'BlockhashNotFound' })],
    ['a node that takes the signature for wrong', failing(-32003)],
    ['a node that takes the call for wrong', failing(-32602)],
    ['a node that is not well', failing(-32005)],
    ['the signature of another', () => second.signature],
    ['no signature', () => null],
    ['silence', () => Promise.reject(new Error('reset'))],
  ])('attempts#send-timeout-proves-nothing: %s proves nothing', async (_, sendTransaction) => {
    expect(await outcome(sendTransaction)).toEqual({ kind: 'unknown' });
  });

  it('what is no transaction is refused', async () => {
    const { chain, asked } = chainOn({});
    expect(await chain.send(['AAAA'])).toEqual([
      { kind: 'refused', refusal: { kind: 'chain', code: 7050014 } },
    ]);
    expect(asked).toEqual([]);
  });

  it('each has its own outcome, in the order given', async () => {
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

describe('simulating', () => {
  const view = chargeView();
  const simulate = async (err: unknown) => {
    const { feePayer, instructions } = await recipeOf(
      { plan: PLAN, wallet: WALLET, kind: 'subscribe', view },
      createAddresses(),
      charger.address,
    );
    const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
    const wire = wireOf(compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n }));
    const seen: unknown[] = [];
    const { chain } = chainOn({
      simulateTransaction: ([, config]) => {
        seen.push(config);
        return inContext({ err, logs: [] })();
      },
    });
    return { answer: await chain.simulate(wire), seen };
  };

  it("is nothing when the chain would take it, today's blockhash in place of its own", async () => {
    const { answer, seen } = await simulate(null);
    expect(answer).toEqual({ ok: true, value: null });
    expect(seen).toEqual([
      expect.objectContaining({ replaceRecentBlockhash: true, commitment: 'confirmed' }),
    ]);
  });

  it.each([
    ['the payment', { InstructionError: [3, { Custom: 1 }] }, { kind: 'program', code: 1 }],
    ['the subscription', { InstructionError: [2, { Custom: 517 }] }, { kind: 'chain', code: 4615026 }],
    ['the fee', 'InsufficientFundsForFee', { kind: 'chain', code: 7050005 }],
  ])('classifies a refusal of %s', async (_, err, refusal) => {
    expect((await simulate(err)).answer).toEqual({ ok: true, value: refusal });
  });

  it('an answer without its outcome is none', async () => {
    expect((await simulate(undefined)).answer).toEqual({ ok: false, unavailable: { kind: 'transport' } });
    expect((await simulate({})).answer).toEqual({ ok: false, unavailable: { kind: 'transport' } });
  });

  it('what is no transaction is refused', async () => {
    expect(await chainOn({}).chain.simulate('AAAA')).toEqual({
      ok: true,
      value: { kind: 'chain', code: 7050014 },
    });
  });
});
