import { type Address, type Instruction, getStructEncoder } from '@solana/kit';
import { i64, key, u64, u8 } from './accounts.js';
import { SYSTEM_PROGRAM } from './addresses.js';
import {
  EVENT_ACCOUNTS,
  programInstruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from './instruction.js';

/** The `initId` that refers to the authority which the same transaction opens. */
export const UNKNOWN_INIT_ID = -(2n ** 63n);

/** The first data byte of `subscribe`. */
export const SUBSCRIBE_SELECTOR = 11;

/** The index of the subscription that it makes among its accounts. */
export const SUBSCRIBED_ACCOUNT_INDEX = 3;

const subscribeData = getStructEncoder([
  ['selector', u8],
  ['planId', u64],
  ['planBump', u8],
  ['mint', key],
  ['amount', u64],
  ['periodHours', u64],
  ['createdAt', i64],
  ['initId', i64],
]);

const resumeData = getStructEncoder([
  ['selector', u8],
  ['expiresAt', i64],
]);

/** Builds the instruction that opens a wallet's authority if needed, and approves it on the token account. */
export function initAuthority(input: {
  wallet: Address;
  authority: Address;
  mint: Address;
  tokenAccount: Address;
  tokenProgram: Address;
}): Instruction {
  return programInstruction(
    [
      writableSigner(input.wallet),
      writable(input.authority),
      readonly(input.mint),
      writable(input.tokenAccount),
      readonly(SYSTEM_PROGRAM),
      readonly(input.tokenProgram),
    ],
    u8.encode(0),
  );
}

/** Builds the instruction that subscribes. The program refuses changed terms and another authority. */
export function subscribe(input: {
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
  return programInstruction(
    [
      writableSigner(input.wallet),
      readonly(input.owner),
      readonly(input.plan),
      writable(input.subscription),
      readonly(input.authority),
      readonly(SYSTEM_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    subscribeData.encode({ selector: SUBSCRIBE_SELECTOR, ...input }),
  );
}

/** Builds the instruction that cancels a subscription at the end of the period in progress. */
export function cancel(input: { wallet: Address; plan: Address; subscription: Address }): Instruction {
  return programInstruction(
    [signer(input.wallet), readonly(input.plan), writable(input.subscription), ...EVENT_ACCOUNTS],
    u8.encode(12),
  );
}

/** Builds the instruction that undoes a cancellation, named by its expiry in Unix seconds. */
export function resume(input: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
  expiresAt: bigint;
}): Instruction {
  return programInstruction(
    [
      signer(input.wallet),
      readonly(input.plan),
      writable(input.subscription),
      readonly(input.authority),
      ...EVENT_ACCOUNTS,
    ],
    resumeData.encode({ selector: 13, expiresAt: input.expiresAt }),
  );
}

/** Builds the instruction that closes a cancelled and expired subscription. Its payer gets the rent. */
export function revoke(input: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  payer: Address;
}): Instruction {
  const receiver = input.payer === input.wallet ? [] : [writable(input.payer)];
  return programInstruction(
    [writableSigner(input.wallet), writable(input.subscription), readonly(input.plan), ...receiver],
    u8.encode(3),
  );
}

/** Builds the instruction that closes a subscription without authority. The payer of the rent signs it. */
export function revokeAbandoned(input: {
  payer: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
}): Instruction {
  return programInstruction(
    [
      writableSigner(input.payer),
      writable(input.subscription),
      readonly(input.authority),
      readonly(input.plan),
    ],
    u8.encode(16),
  );
}
