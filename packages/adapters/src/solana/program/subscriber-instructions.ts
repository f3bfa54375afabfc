import {
  type Address,
  type Instruction,
  getAddressEncoder,
  getI64Encoder,
  getStructEncoder,
  getU64Encoder,
  getU8Encoder,
} from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';
import {
  EVENT_ACCOUNTS,
  programInstruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from './instruction.js';

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
  return programInstruction(
    [
      writableSigner(on.wallet),
      writable(on.authority),
      readonly(on.mint),
      writable(on.tokenAccount),
      readonly(SYSTEM_PROGRAM),
      readonly(on.tokenProgram),
    ],
    selector.encode(0),
  );
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
  return programInstruction(
    [
      writableSigner(on.wallet),
      readonly(on.owner),
      readonly(on.plan),
      writable(on.subscription),
      readonly(on.authority),
      readonly(SYSTEM_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    subscribeData.encode({ selector: 11, ...on }),
  );
}

/** Builds the instruction that cancels a subscription at the end of the period in progress. */
export function cancel(on: { wallet: Address; plan: Address; subscription: Address }): Instruction {
  return programInstruction(
    [signer(on.wallet), readonly(on.plan), writable(on.subscription), ...EVENT_ACCOUNTS],
    selector.encode(12),
  );
}

/** Builds the instruction that undoes a cancellation, named by its expiry in Unix seconds. */
export function resume(on: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
  expiresAt: bigint;
}): Instruction {
  return programInstruction(
    [
      signer(on.wallet),
      readonly(on.plan),
      writable(on.subscription),
      readonly(on.authority),
      ...EVENT_ACCOUNTS,
    ],
    resumeData.encode({ selector: 13, expiresAt: on.expiresAt }),
  );
}

/** Builds the instruction that closes a cancelled and expired subscription. The rent goes back to its payer. */
export function revoke(on: {
  wallet: Address;
  plan: Address;
  subscription: Address;
  payer: Address;
}): Instruction {
  const receiver = on.payer === on.wallet ? [] : [writable(on.payer)];
  return programInstruction(
    [writableSigner(on.wallet), writable(on.subscription), readonly(on.plan), ...receiver],
    selector.encode(3),
  );
}

/** Builds the instruction that closes a subscription whose authority is gone. The payer of the rent signs it. */
export function revokeAbandoned(on: {
  payer: Address;
  plan: Address;
  subscription: Address;
  authority: Address;
}): Instruction {
  return programInstruction(
    [writableSigner(on.payer), writable(on.subscription), readonly(on.authority), readonly(on.plan)],
    selector.encode(16),
  );
}
