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

/** The generation that stands for "the authority opened in this very transaction" (program#authority-generations). */
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

/** Opens a wallet's authority when there is none, and approves it on the wallet's token account (program#init-subscription-authority). */
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

/** Makes the subscription, if the plan and the authority are still what the wallet was shown (program#subscribe). */
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
  /** Unix seconds. */
  createdAt: bigint;
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

/** Cancels at the end of the grid period in progress (program#cancel-subscription). */
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

/** Undoes a cancellation whose expiry, in Unix seconds, is the one named (program#resume-subscription). */
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

/** Closes a cancelled and expired subscription; its rent goes back to who paid it (program#revoke-delegation). */
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

/** Closes a subscription whose authority is gone, signed by who paid its rent (program#revoke-abandoned-subscription). */
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
