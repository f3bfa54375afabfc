import { type Address, address, getAddressEncoder } from '@solana/kit';
import type { AccountMeta, RuntimeInstruction } from '../../runtime/program.js';

// Builders of the program's instructions, written from program#instruction-dispatch and each instruction's
// rules, independently of the code under test.

export const PROGRAM = address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
export const EVENT_AUTHORITY = address('3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7');
export const SYSTEM = address('11111111111111111111111111111111');
export const SPL_TOKEN = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const UNKNOWN_INIT_ID = -(2n ** 63n);

export function bytes(...parts: readonly (number | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));
}

export function u64(value: bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return out;
}

export const i64 = u64;

export function key(of: Address): Uint8Array {
  return new Uint8Array(getAddressEncoder().encode(of));
}

/** Four keys; those not given are zero. */
export function fourKeys(of: readonly Address[]): Uint8Array {
  const out = new Uint8Array(128);
  of.forEach((one, index) => out.set(key(one), 32 * index));
  return out;
}

function uri(text: string): Uint8Array {
  const out = new Uint8Array(128);
  out.set(new TextEncoder().encode(text));
  return out;
}

const r = (of: Address): AccountMeta => ({ address: of, isSigner: false, isWritable: false });
const w = (of: Address): AccountMeta => ({ address: of, isSigner: false, isWritable: true });
const s = (of: Address): AccountMeta => ({ address: of, isSigner: true, isWritable: false });
const sw = (of: Address): AccountMeta => ({ address: of, isSigner: true, isWritable: true });
const optional = (flags: typeof r, of: Address | undefined) => (of === undefined ? [] : [flags(of)]);
const eventAccounts = [r(EVENT_AUTHORITY), r(PROGRAM)];

function instruction(accounts: readonly AccountMeta[], data: Uint8Array): RuntimeInstruction {
  return { programAddress: PROGRAM, accounts, data };
}

type Addresses<Name extends string> = Record<Name, Address>;
type Integers<Name extends string> = Record<Name, bigint>;

export type InitFields = Addresses<'user' | 'authority' | 'mint' | 'tokenAccount' | 'tokenProgram'> & {
  payer?: Address | undefined;
};

export function initAuthority(of: InitFields): RuntimeInstruction {
  return instruction(
    [
      sw(of.user),
      w(of.authority),
      r(of.mint),
      w(of.tokenAccount),
      r(SYSTEM),
      r(of.tokenProgram),
      ...optional(sw, of.payer),
    ],
    bytes(0),
  );
}

export function closeAuthority(
  of: Addresses<'user' | 'authority'> & { receiver?: Address | undefined },
): RuntimeInstruction {
  return instruction([sw(of.user), w(of.authority), ...optional(w, of.receiver)], bytes(6));
}

export type RevokeAuthorityFields = Omit<InitFields, 'payer'> & { receiver?: Address | undefined };

export function revokeAuthority(of: RevokeAuthorityFields): RuntimeInstruction {
  return instruction(
    [
      sw(of.user),
      w(of.tokenAccount),
      r(of.mint),
      r(of.tokenProgram),
      w(of.authority),
      ...optional(w, of.receiver),
    ],
    bytes(14),
  );
}

export type PlanFields = Addresses<'merchant' | 'plan' | 'mintAccount' | 'tokenProgram' | 'mint'> &
  Integers<'planId' | 'amount' | 'periodHours' | 'createdAt' | 'endTs'> & {
    payer?: Address | undefined;
    destinations: readonly Address[];
    pullers: readonly Address[];
    uri: string;
  };

export function createPlan(of: PlanFields): RuntimeInstruction {
  return instruction(
    [
      sw(of.merchant),
      w(of.plan),
      r(of.mintAccount),
      r(SYSTEM),
      r(of.tokenProgram),
      ...optional(sw, of.payer),
    ],
    bytes(
      7,
      u64(of.planId),
      key(of.mint),
      u64(of.amount),
      u64(of.periodHours),
      i64(of.createdAt),
      i64(of.endTs),
      fourKeys(of.destinations),
      fourKeys(of.pullers),
      uri(of.uri),
    ),
  );
}

export type UpdatePlanFields = Addresses<'owner' | 'plan'> &
  Integers<'endTs' | 'expectedCreatedAt' | 'expectedEndTs'> & {
    status: number;
    pullers: readonly Address[];
    uri: string;
    expectedPullers: readonly Address[];
    expectedUri: string;
  };

export function updatePlan(of: UpdatePlanFields): RuntimeInstruction {
  return instruction(
    [s(of.owner), w(of.plan), ...eventAccounts],
    bytes(
      8,
      of.status,
      i64(of.endTs),
      fourKeys(of.pullers),
      uri(of.uri),
      i64(of.expectedCreatedAt),
      i64(of.expectedEndTs),
      fourKeys(of.expectedPullers),
      uri(of.expectedUri),
    ),
  );
}

export function deletePlan(of: Addresses<'owner' | 'plan'>): RuntimeInstruction {
  return instruction([sw(of.owner), w(of.plan)], bytes(9));
}

export type SubscribeFields = Addresses<
  'subscriber' | 'merchant' | 'plan' | 'subscription' | 'authority' | 'expectedMint'
> &
  Integers<'planId' | 'expectedAmount' | 'expectedPeriodHours' | 'expectedCreatedAt' | 'expectedInitId'> & {
    payer?: Address | undefined;
    planBump: number;
  };

export function subscribe(of: SubscribeFields): RuntimeInstruction {
  return instruction(
    [
      sw(of.subscriber),
      r(of.merchant),
      r(of.plan),
      w(of.subscription),
      r(of.authority),
      r(SYSTEM),
      ...eventAccounts,
      ...optional(sw, of.payer),
    ],
    bytes(
      11,
      u64(of.planId),
      of.planBump,
      key(of.expectedMint),
      u64(of.expectedAmount),
      u64(of.expectedPeriodHours),
      i64(of.expectedCreatedAt),
      i64(of.expectedInitId),
    ),
  );
}

export type PullFields = Addresses<
  | 'subscription'
  | 'plan'
  | 'authority'
  | 'source'
  | 'receiver'
  | 'caller'
  | 'mintAccount'
  | 'tokenProgram'
  | 'delegator'
  | 'mint'
> &
  Integers<'amount'> & { hookAccounts: readonly AccountMeta[] };

export function pull(of: PullFields): RuntimeInstruction {
  return instruction(
    [
      w(of.subscription),
      r(of.plan),
      r(of.authority),
      w(of.source),
      w(of.receiver),
      s(of.caller),
      r(of.mintAccount),
      r(of.tokenProgram),
      ...eventAccounts,
      ...of.hookAccounts,
    ],
    bytes(10, u64(of.amount), key(of.delegator), key(of.mint)),
  );
}

export type SubscriptionFields = Addresses<'subscriber' | 'plan' | 'subscription'>;

export function cancel(of: SubscriptionFields): RuntimeInstruction {
  return instruction([s(of.subscriber), r(of.plan), w(of.subscription), ...eventAccounts], bytes(12));
}

export function cancelNow(
  of: SubscriptionFields & { merchant: Address; expectedPeriodStart: bigint },
): RuntimeInstruction {
  return instruction(
    [s(of.subscriber), s(of.merchant), r(of.plan), w(of.subscription), ...eventAccounts],
    bytes(17, i64(of.expectedPeriodStart)),
  );
}

export function resume(
  of: SubscriptionFields & { authority: Address; expectedExpiresAt: bigint },
): RuntimeInstruction {
  return instruction(
    [s(of.subscriber), r(of.plan), w(of.subscription), r(of.authority), ...eventAccounts],
    bytes(13, i64(of.expectedExpiresAt)),
  );
}

export function revoke(
  of: Addresses<'authority' | 'subscription' | 'plan'> & { receiver?: Address | undefined },
): RuntimeInstruction {
  return instruction(
    [sw(of.authority), w(of.subscription), r(of.plan), ...optional(w, of.receiver)],
    bytes(3),
  );
}

export function revokeAbandoned(
  of: Addresses<'payer' | 'subscription' | 'authority' | 'plan'>,
): RuntimeInstruction {
  return instruction([sw(of.payer), w(of.subscription), r(of.authority), r(of.plan)], bytes(16));
}

/** The same instruction with the flags of one account changed. */
export function withFlags(
  of: RuntimeInstruction,
  index: number,
  parts: Partial<AccountMeta>,
): RuntimeInstruction {
  const accounts = of.accounts.map((meta, place) => (place === index ? { ...meta, ...parts } : meta));
  return { ...of, accounts };
}

/** The same instruction with the address of one account changed. */
export function withAccount(of: RuntimeInstruction, index: number, other: Address): RuntimeInstruction {
  return withFlags(of, index, { address: other });
}
