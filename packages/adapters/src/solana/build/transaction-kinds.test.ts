import {
  type Instruction,
  type ReadonlyUint8Array,
  address,
  getTransactionSize,
  blockhash,
} from '@solana/kit';
import type { BuildRequest } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { compile } from '../transaction/message.js';
import { SUBSCRIPTIONS_PROGRAM, createAddresses } from '../program/addresses.js';
import { type TransactionParts, paymentInstruction, transactionParts } from './transaction-kinds.js';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import {
  APPROVED,
  AUTHORITY,
  CHARGER,
  OWNER,
  PLAN,
  RECEIVER,
  SUBSCRIBED,
  USDC,
  WALLET,
  chargeView,
  key,
} from '../tests/charge-view.js';

const addresses = createAddresses();
const NAMES: Readonly<Record<number, string>> = {
  0: 'init',
  3: 'revoke',
  7: 'create_plan',
  9: 'delete_plan',
  10: 'transfer',
  11: 'subscribe',
  12: 'cancel',
  13: 'resume',
  16: 'revoke_abandoned',
};

/** The parts of a transaction, which say that it approves exactly when an instruction does. */
async function partsOf(request: Exclude<BuildRequest, { kind: 'update_plan' }>): Promise<TransactionParts> {
  const parts = await transactionParts(request, addresses, CHARGER);
  expect(parts.approves).toBe(names(parts).includes('init'));
  return parts;
}

function names({ instructions }: Pick<TransactionParts, 'instructions'>): (string | undefined)[] {
  return instructions.map(({ programAddress, data }) => {
    expect(programAddress).toBe(SUBSCRIPTIONS_PROGRAM);
    return NAMES[data?.[0] ?? -1];
  });
}

/** Bytes on the wire, signatures and compute budget included. */
function size({ feePayer, instructions }: Pick<TransactionParts, 'feePayer' | 'instructions'>): number {
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
  return getTransactionSize(compile(feePayer, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n }));
}

function initIdOf(instruction: Instruction | undefined): bigint {
  const data: ReadonlyUint8Array = instruction?.data ?? new Uint8Array();
  return new DataView(Uint8Array.from(data).buffer).getBigInt64(data.length - 8, true);
}

const target = { plan: PLAN, wallet: WALLET };
const CLOSED = {
  authority: { address: AUTHORITY, generation: null },
  source: { ...APPROVED, delegate: null },
};

// program#first-payment-transaction
describe('a first payment', () => {
  // program#authority-generations
  it('opens a missing authority in the same transaction, and names it by UNKNOWN_INIT_ID, in 817 bytes', async () => {
    const first = await partsOf({ ...target, kind: 'subscribe', view: chargeView(CLOSED) });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
    expect(initIdOf(first.instructions[1])).toBe(-(2n ** 63n));
    expect(first.opens).toEqual(['subscription', 'authority']);
    expect(size(first)).toBe(817);
  });

  // program#authority-generations
  it('names the generation of an open authority, in 807 bytes', async () => {
    const first = await partsOf({ ...target, kind: 'subscribe', view: chargeView() });
    expect(names(first)).toEqual(['subscribe', 'transfer']);
    expect(initIdOf(first.instructions[0])).toBe(77n);
    expect(first.opens).toEqual(['subscription']);
    expect(size(first)).toBe(807);
  });

  it.each([
    ['missing', { delegate: null, delegatedAmount: 0n }],
    ['of another app', { delegate: key(8) }],
    ['too small for ten years', { delegatedAmount: PLAN.amount * 122n - 1n }],
  ])('approves again when the approval is %s, in 817 bytes', async (_, source) => {
    const view = chargeView({ source: { ...APPROVED, ...source } });
    const first = await partsOf({ ...target, kind: 'subscribe', view });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
    expect(initIdOf(first.instructions[1])).toBe(77n);
    expect(size(first)).toBe(817);
  });

  it('keeps an approval that covers ten years of periods of thirty days', async () => {
    const view = chargeView({ source: { ...APPROVED, delegatedAmount: PLAN.amount * 122n } });
    expect(names(await partsOf({ ...target, kind: 'subscribe', view }))).toEqual(['subscribe', 'transfer']);
  });

  // program#token-approval
  it('opens a closed authority again although its approval is left', async () => {
    const view = chargeView({ authority: { address: AUTHORITY, generation: null } });
    const first = await partsOf({ ...target, kind: 'subscribe', view });
    expect(names(first)).toEqual(['init', 'subscribe', 'transfer']);
  });
});

// coming-back#who-can-come-back
// program#comeback-transaction
describe('a comeback', () => {
  it('only pays, in 658 bytes, and opens no account', async () => {
    const comeback = await partsOf({
      ...target,
      kind: 'comeback',
      view: chargeView({ subscription: SUBSCRIBED }),
    });
    expect(names(comeback)).toEqual(['transfer']);
    expect(comeback.opens).toEqual([]);
    expect(size(comeback)).toBe(658);
  });

  it('approves again first when the approval is gone, in 700 bytes', async () => {
    const source = { ...APPROVED, delegate: null, delegatedAmount: 0n };
    const view = chargeView({ subscription: SUBSCRIBED, source });
    const comeback = await partsOf({ ...target, kind: 'comeback', view });
    expect(names(comeback)).toEqual(['init', 'transfer']);
    expect(size(comeback)).toBe(700);
  });
});

// plan-changes#one-transaction-for-a-change
it('a change cancels first, and opens the authority right before it subscribes, in 890 bytes', async () => {
  const view = chargeView({ authority: { address: AUTHORITY, generation: null } });
  const replaced = { ...PLAN, address: key(8), number: 8n };
  const change = await partsOf({ ...target, kind: 'change', view, replaced });
  expect(names(change)).toEqual(['cancel', 'init', 'subscribe', 'transfer']);
  expect(change.opens).toEqual(['subscription', 'authority']);
  expect(size(change)).toBe(890);
});

describe('the other kinds of transactions', () => {
  // program#scheduled-charge-transaction
  it('charges in 562 bytes, with the charger as fee payer', async () => {
    const accounts = await chargeAccountsOf(target, addresses);
    const instruction = paymentInstruction(target, accounts, {
      amount: 1n,
      receiver: key(5),
      charger: CHARGER,
    });
    expect(size({ feePayer: CHARGER, instructions: [instruction] })).toBe(562);
  });

  // program#cancel-and-resume-transactions
  it('cancels in 325 bytes', async () => {
    const cancel = await partsOf({ ...target, kind: 'cancel' });
    expect(names(cancel)).toEqual(['cancel']);
    expect(size(cancel)).toBe(325);
  });

  // program#cancel-and-resume-transactions
  it('resumes by the expiry that was read, in 366 bytes', async () => {
    const expiresAt = new Date('2026-03-01T00:00:00.000Z');
    const resume = await partsOf({ ...target, kind: 'resume', expiresAt });
    expect(names(resume)).toEqual(['resume']);
    expect(initIdOf(resume.instructions[0])).toBe(BigInt(expiresAt.getTime() / 1000));
    expect(size(resume)).toBe(366);
  });

  // program#close-transactions, cancel-resume-close#how-each-ending-closes
  it.each([
    ['revoke', ['revoke'], 291],
    ['cancel_and_revoke', ['cancel', 'revoke'], 332],
    ['revoke_abandoned', ['revoke_abandoned'], 324],
  ] as const)('closes by %s', async (by, expected, bytes) => {
    const close = await partsOf({ ...target, kind: 'close', by, payer: WALLET });
    expect(names(close)).toEqual(expected);
    expect(size(close)).toBe(bytes);
  });

  // cancel-resume-close#how-each-ending-closes
  it('returns the rent to the payer when that is another wallet', async () => {
    const close = await partsOf({ ...target, kind: 'close', by: 'revoke', payer: OWNER });
    expect(close.instructions[0]?.accounts?.map((account) => account.address)[3]).toBe(OWNER);
  });

  it('makes the wallet the fee payer of every transaction', async () => {
    const view = chargeView();
    for (const built of [
      await partsOf({ ...target, kind: 'subscribe', view }),
      await partsOf({ ...target, kind: 'cancel' }),
      await partsOf({ ...target, kind: 'close', by: 'revoke', payer: OWNER }),
    ]) {
      expect(built.feePayer).toBe(WALLET);
    }
  });

  // plans#publishing-a-plan
  // program#plan-transactions
  it('creates a plan, signed by its owner', async () => {
    const plan = await partsOf({
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

  // program#plan-transactions
  it('deletes a plan, signed by its owner', async () => {
    const deletion = await partsOf({ kind: 'delete_plan', owner: OWNER, address: PLAN.address });
    expect(names(deletion)).toEqual(['delete_plan']);
    expect([deletion.feePayer, deletion.opens]).toEqual([OWNER, []]);
  });
});
