import {
  type Instruction,
  type ReadonlyUint8Array,
  address,
  getTransactionSize,
  blockhash,
} from '@solana/kit';
import type { BuildRequest } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { compile } from '../message.js';
import { SUBSCRIPTIONS_PROGRAM, createAddresses } from '../program/addresses.js';
import { type Recipe, payment, recipeOf } from '../transaction-kinds.js';
import { chargeAccountsOf } from '../charge-accounts.js';
import {
  APPROVED,
  AUTHORITY,
  CHARGER,
  OWNER,
  PLAN,
  RECEIVER,
  STANDING,
  USDC,
  WALLET,
  chargeView,
  key,
} from './charge-view.js';

const addresses = createAddresses();
const NAMES: Readonly<Record<number, string>> = {
  0: 'init',
  3: 'revoke',
  7: 'create_plan',
  10: 'transfer',
  11: 'subscribe',
  12: 'cancel',
  13: 'resume',
  16: 'revoke_abandoned',
};

const kind = (ask: BuildRequest) => recipeOf(ask, addresses, CHARGER);

function names({ instructions }: Pick<Recipe, 'instructions'>): (string | undefined)[] {
  return instructions.map(({ programAddress, data }) => {
    expect(programAddress).toBe(SUBSCRIPTIONS_PROGRAM);
    return NAMES[data?.[0] ?? -1];
  });
}

/** Bytes on the wire, signatures and compute budget included. */
function size({ feePayer, instructions }: Pick<Recipe, 'feePayer' | 'instructions'>): number {
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
  return getTransactionSize(compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n }));
}

function initIdOf(instruction: Instruction | undefined): bigint {
  const data: ReadonlyUint8Array = instruction?.data ?? new Uint8Array();
  return new DataView(Uint8Array.from(data).buffer).getBigInt64(data.length - 8, true);
}

const ask = { plan: PLAN, wallet: WALLET };
const CLOSED = {
  authority: { address: AUTHORITY, generation: null },
  source: { ...APPROVED, delegate: null },
};

describe('program#first-payment-transaction: a first payment', () => {
  it('opens a missing authority in the same transaction, by the sentinel, in 817 bytes', async () => {
    const first = await kind({ ...ask, kind: 'subscribe', view: chargeView(CLOSED) });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
    expect(initIdOf(first.instructions[1])).toBe(-(2n ** 63n));
    expect(first.opens).toEqual(['subscription', 'authority']);
    expect(size(first)).toBe(817);
  });

  it('names the generation of an open authority, in 807 bytes', async () => {
    const first = await kind({ ...ask, kind: 'subscribe', view: chargeView() });
    expect(names(first)).toEqual(['subscribe', 'transfer']);
    expect(initIdOf(first.instructions[0])).toBe(77n);
    expect(first.opens).toEqual(['subscription']);
    expect(size(first)).toBe(807);
  });

  it.each([
    ['missing', { delegate: null, delegatedAmount: 0n }],
    ["another app's", { delegate: key(8) }],
    ['too small for ten years', { delegatedAmount: PLAN.amount * 122n - 1n }],
  ])('approves again when the approval is %s, in 817 bytes', async (_, source) => {
    const view = chargeView({ source: { ...APPROVED, ...source } });
    const first = await kind({ ...ask, kind: 'subscribe', view });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
    expect(initIdOf(first.instructions[1])).toBe(77n);
    expect(size(first)).toBe(817);
  });

  it('leaves an approval alone that lasts ten years of thirty days', async () => {
    const view = chargeView({ source: { ...APPROVED, delegatedAmount: PLAN.amount * 122n } });
    expect(names(await kind({ ...ask, kind: 'subscribe', view }))).toEqual(['subscribe', 'transfer']);
  });

  it('opens the authority again when its approval outlived it (program#close-subscription-authority)', async () => {
    const view = chargeView({ authority: { address: AUTHORITY, generation: null } });
    const first = await kind({ ...ask, kind: 'subscribe', view });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
  });
});

describe('coming-back#who-can-come-back: a comeback', () => {
  it('only pays, in 658 bytes, and opens nothing', async () => {
    const comeback = await kind({
      ...ask,
      kind: 'comeback',
      view: chargeView({ subscription: STANDING }),
    });
    expect(names(comeback)).toEqual(['transfer']);
    expect(comeback.opens).toEqual([]);
    expect(size(comeback)).toBe(658);
  });

  it('approves again first when the approval is gone, in 700 bytes', async () => {
    const source = { ...APPROVED, delegate: null, delegatedAmount: 0n };
    const view = chargeView({ subscription: STANDING, source });
    const comeback = await kind({ ...ask, kind: 'comeback', view });
    expect(names(comeback)).toEqual(['init', 'transfer']);
    expect(size(comeback)).toBe(700);
  });
});

describe('program#first-payment-transaction: other transactions', () => {
  it('charges in 562 bytes, paid for by the charger', async () => {
    const where = await chargeAccountsOf(ask, addresses);
    const instruction = payment(ask, where, { amount: 1n, receiver: key(5), charger: CHARGER });
    expect(size({ feePayer: CHARGER, instructions: [instruction] })).toBe(562);
  });

  it('cancels in 325 bytes', async () => {
    const cancel = await kind({ ...ask, kind: 'cancel' });
    expect(names(cancel)).toEqual(['cancel']);
    expect(size(cancel)).toBe(325);
  });

  it('resumes the expiry that was seen, in 366 bytes', async () => {
    const expiresAt = new Date('2026-03-01T00:00:00.000Z');
    const resume = await kind({ ...ask, kind: 'resume', expiresAt });
    expect(names(resume)).toEqual(['resume']);
    expect(initIdOf(resume.instructions[0])).toBe(BigInt(expiresAt.getTime() / 1000));
    expect(size(resume)).toBe(366);
  });

  it.each([
    ['revoke', ['revoke'], 291],
    ['cancel_and_revoke', ['cancel', 'revoke'], 332],
    ['revoke_abandoned', ['revoke_abandoned'], 324],
  ] as const)('cancel-resume-close#how-each-ending-closes: closes by %s', async (by, expected, bytes) => {
    const close = await kind({ ...ask, kind: 'close', by, payer: WALLET });
    expect(names(close)).toEqual(expected);
    expect(size(close)).toBe(bytes);
  });

  it('cancel-resume-close#how-each-ending-closes: returns the rent to another payer', async () => {
    const close = await kind({ ...ask, kind: 'close', by: 'revoke', payer: OWNER });
    expect(close.instructions[0]?.accounts?.map((account) => account.address)[3]).toBe(OWNER);
  });

  it('every transaction is signed first by the wallet it is for', async () => {
    const view = chargeView();
    for (const built of [
      await kind({ ...ask, kind: 'subscribe', view }),
      await kind({ ...ask, kind: 'cancel' }),
      await kind({ ...ask, kind: 'close', by: 'revoke', payer: OWNER }),
    ]) {
      expect(built.feePayer).toBe(WALLET);
    }
  });

  it('plans#publishing-a-plan: makes a plan, signed by its owner', async () => {
    const plan = await kind({
      kind: 'create_plan',
      owner: OWNER,
      number: 1n,
      mint: USDC,
      tokenProgram: PLAN.tokenProgram,
      amount: 10n,
      periodHours: 720,
      endsAt: null,
      destinations: [RECEIVER],
      pullers: [CHARGER],
      metadata: '',
    });
    expect(names(plan)).toEqual(['create_plan']);
    expect(plan.feePayer).toBe(OWNER);
    expect(plan.opens).toEqual(['plan']);
    expect(plan.instructions[0]?.accounts?.[1]?.address).toBe(address(PLAN.address));
  });
});
