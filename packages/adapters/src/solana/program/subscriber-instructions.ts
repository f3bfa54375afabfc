import {
  type Address,
  type Instruction,
  AccountRole,
  getAddressEncoder,
  getI64Encoder,
  getStructEncoder,
  getU64Encoder,
  getU8Encoder,
} from '@solana/kit';
import { EVENT_AUTHORITY, SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM } from './addresses.js';

const { READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;

/** The value of `initId` that means: the authority which this same transaction opens. */
export const UNKNOWN_INIT_ID = -(2n ** 63n);

const selector = getU8Encoder();
const key = getAddressEncoder();
const u64 = getU64Encoder();
const i64 = getI64Encoder();

const subscribeData = getStructEncoder([
  ['selector', selector],
  ['planId', u64],
  ['planBump', selector],
  ['mint', key],
  ['amount', u64],
  ['periodHours', u64],
  ['createdAt', i64],
  ['initId', i64],
]);

const resumeData = getStructEncoder([
  ['selector', selector],
  ['expiresAt', i64],
]);

/**
 * Builds the instruction that opens a wallet's authority if there is none, and approves it on the wallet's token
 * account.
 */
export function initAuthority(on: {
  wallet: Address;
  authority: Address;
  mint: Address;
  tokenAccount: Address;
  tokenProgram: Address;
}): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.wallet, role: WRITABLE_SIGNER },
      { address: on.authority, role: WRITABLE },
      { address: on.mint, role: READONLY },
      { address: on.tokenAccount, role: WRITABLE },
      { address: SYSTEM_PROGRAM, role: READONLY },
      { address: on.tokenProgram, role: READONLY },
    ],
    data: selector.encode(0),
  };
}

/**
 * Builds the instruction that subscribes. The program refuses it when the plan's terms or the authority have changed.
 */
export function subscribe(on: {
  wallet: Address;
  owner: Address;
  plan: Address;
  planBump: number;
  planId: bigint;
  subscription: Address;
  authority: Address;
  mint: Address;
  amount: bigint;
  periodHours: number;
  /** The creation of the plan, in Unix seconds. */
  createdAt: bigint;
  /** The generation of the authority, or `UNKNOWN_INIT_ID`. */
  initId: bigint;
}): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.wallet, role: WRITABLE_SIGNER },
      { address: on.owner, role: READONLY },
      { address: on.plan, role: READONLY },
      { address: on.subscription, role: WRITABLE },
      { address: on.authority, role: READONLY },
      { address: SYSTEM_PROGRAM, role: READONLY },
      { address: EVENT_AUTHORITY, role: READONLY },
      { address: SUBSCRIPTIONS_PROGRAM, role: READONLY },
    ],
    data: subscribeData.encode({ selector: 11, ...on }),
  };
}

/** Builds the instruction that cancels a subscription at the end of the period in progress. */
export function cancel(on: { wallet: Address; plan: Address; subscription: Address }): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.wallet, role: READONLY_SIGNER },
      { address: on.plan, role: READONLY },
      { address: on.subscription, role: WRITABLE },
      { address: EVENT_AUTHORITY, role: READONLY },
      { address: SUBSCRIPTIONS_PROGRAM, role: READONLY },
    ],
    data: selector.encode(12),
  };
}

/** Builds the instruction that undoes a cancellation, named by its expiry in Unix seconds. */
export function resume(on: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
  expiresAt: bigint;
}): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.wallet, role: READONLY_SIGNER },
      { address: on.plan, role: READONLY },
      { address: on.subscription, role: WRITABLE },
      { address: on.authority, role: READONLY },
      { address: EVENT_AUTHORITY, role: READONLY },
      { address: SUBSCRIPTIONS_PROGRAM, role: READONLY },
    ],
    data: resumeData.encode({ selector: 13, expiresAt: on.expiresAt }),
  };
}

/** Builds the instruction that closes a cancelled and expired subscription. The rent goes back to its payer. */
export function revoke(on: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  payer: Address;
}): Instruction {
  const receiver = on.payer === on.wallet ? [] : [{ address: on.payer, role: WRITABLE }];
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.wallet, role: WRITABLE_SIGNER },
      { address: on.subscription, role: WRITABLE },
      { address: on.plan, role: READONLY },
      ...receiver,
    ],
    data: selector.encode(3),
  };
}

/** Builds the instruction that closes a subscription whose authority is gone. The payer of the rent signs it. */
export function revokeAbandoned(on: {
  payer: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
}): Instruction {
  return {
    programAddress: SUBSCRIPTIONS_PROGRAM,
    accounts: [
      { address: on.payer, role: WRITABLE_SIGNER },
      { address: on.subscription, role: WRITABLE },
      { address: on.authority, role: READONLY },
      { address: on.plan, role: READONLY },
    ],
    data: selector.encode(16),
  };
}
