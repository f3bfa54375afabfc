import { type Address, getAddressDecoder } from '@solana/kit';
import type { ChargeView, PlanOnChain, SourceView, SubscriptionView } from '@subrail/core/ports';
import { TOKEN_PROGRAM } from '../program/addresses.js';

/** The address of one byte, 32 times, as in the known answers of program#pda-seeds-and-known-answers. */
export function key(byte: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(byte));
}

export const WALLET = key(1);
export const OWNER = key(2);
export const CHARGER = key(3);
export const RECEIVER = key(4);
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');

/** Plan 1 of key 0x02. */
export const PLAN: PlanOnChain = {
  address: 'GaXQmCTVvqbE5B987e4cVUCXTRpRF4L2cVPYo8QynyQC',
  owner: OWNER,
  number: 1n,
  createdAt: CREATED_AT,
  mint: USDC,
  tokenProgram: TOKEN_PROGRAM,
  amount: 10_000_000n,
  periodHours: 720,
  receiver: RECEIVER,
};

/** The authority, the subscription to that plan, and the USDC token account of key 0x01. */
export const AUTHORITY = 'DxYxm2LHres2FTQcRtS9LSmePjCNPtjhxkWAoXRe8Ez7';
export const SUBSCRIPTION = '72WBUVFCYnM49PzaHQgDjb8gG8DRdWarmnHTNGhSSNyf';
export const SOURCE = 'Gs6NxmndAL3PULGZeYUHCknpMdDVbL46eFCBh856p5z6';

/** The token account of a wallet that has tokens and approved the authority without limit. */
export const APPROVED: SourceView = {
  owner: WALLET,
  balance: 100_000_000n,
  frozen: false,
  guarded: false,
  delegate: AUTHORITY,
  delegatedAmount: 2n ** 64n - 1n,
};

/** What is read of a wallet that can be charged. */
export function chargeView(changed: Partial<ChargeView> = {}): ChargeView {
  return {
    slot: 1000n,
    time: new Date('2026-02-01T00:00:00.000Z'),
    plan: {
      owner: OWNER,
      mint: USDC,
      amount: PLAN.amount,
      periodHours: PLAN.periodHours,
      createdAt: CREATED_AT,
      endsAt: null,
      sunset: false,
      destinations: [],
      pullers: [CHARGER],
    },
    subscription: null,
    authority: { address: AUTHORITY, generation: 77n },
    source: APPROVED,
    receiver: { address: key(5), owner: RECEIVER, frozen: false, needsMemo: false, confidentialOnly: false },
    mint: { tokenProgram: TOKEN_PROGRAM, decimals: 6, paused: false, transferable: true, hookProgram: null },
    ...changed,
  };
}

/** What is read of its subscription. */
export const SUBSCRIBED: SubscriptionView = {
  generation: 77n,
  planCreatedAt: CREATED_AT,
  payer: WALLET,
  amount: PLAN.amount,
  periodHours: PLAN.periodHours,
  periodStart: CREATED_AT,
  pulled: 0n,
  expiresAt: null,
};
