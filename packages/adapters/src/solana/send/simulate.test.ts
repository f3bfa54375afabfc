import { blockhash } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { transactionParts } from '../build/transaction-kinds.js';
import { createAddresses } from '../program/addresses.js';
import { chainOn, charger } from '../tests/chain-on.js';
import { PLAN, WALLET, chargeView, key } from '../tests/charge-view.js';
import { inContext } from '../tests/funded-charger.js';
import { compile } from '../transaction/message.js';
import { encodeWire } from '../transaction/wire.js';

// program#simulation-and-preflight
describe('simulating', () => {
  const view = chargeView();
  const simulate = async (err: unknown) => {
    const { feePayer, instructions } = await transactionParts(
      { plan: PLAN, wallet: WALLET, kind: 'subscribe', view },
      createAddresses(),
      charger.address,
    );
    const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
    const wire = encodeWire(compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n }));
    const seen: unknown[] = [];
    const { chain } = chainOn({
      simulateTransaction: ([, config]) => {
        seen.push(config);
        return inContext({ err, logs: [] })();
      },
    });
    return { answer: await chain.simulate(wire), seen };
  };

  it('returns null for a transaction that would succeed, after replacing its blockhash with a recent one', async () => {
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
    expect((await simulate(err)).answer).toEqual({
      ok: true,
      value: { ...refusal, cause: expect.any(String) as string },
    });
  });

  it('is unavailable when the response has no result', async () => {
    expect((await simulate(undefined)).answer).toEqual({ ok: false, unavailable: { kind: 'transport' } });
    expect((await simulate({})).answer).toEqual({ ok: false, unavailable: { kind: 'transport' } });
  });

  it('refuses a text that is not a transaction', async () => {
    expect(await chainOn({}).chain.simulate('AAAA')).toEqual({
      ok: true,
      value: { kind: 'chain', code: 7050014, cause: 'it does not decode' },
    });
  });
});
