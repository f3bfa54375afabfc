import { type AccountMeta, InstructionFailure, type InvokeContext } from '../runtime/program.js';
import { SUBSCRIPTIONS_PROGRAM } from '../runtime/addresses.js';
import { EVENT_AUTHORITY } from './pdas.js';
import { refuse } from './errors.js';
import { type Struct, i64, key, keys, struct, u64, u8 } from '../runtime/layout.js';

// The program emits an event by invoking itself; it alone can sign for that (program#events).
const EVENT_TAG = Uint8Array.of(228, 69, 165, 46, 81, 203, 154, 29);

/** A kind of event: its byte after the tag, and its fields. */
interface EventKind<T> {
  readonly kind: number;
  readonly layout: Struct<T>;
}

export const SUBSCRIPTION_CREATED = {
  kind: 0,
  layout: struct({ plan: key, subscriber: key, mint: key, createdTs: i64, payer: key }),
};

export const SUBSCRIPTION_CANCELLED = {
  kind: 1,
  layout: struct({ plan: key, subscriber: key, expiresAtTs: i64 }),
};

export const SUBSCRIPTION_TRANSFER = {
  kind: 2,
  layout: struct({
    subscription: key,
    plan: key,
    delegator: key,
    mint: key,
    /** The gross amount that left the wallet, before any transfer fee. */
    amount: u64,
    periodStartTs: i64,
    periodEndTs: i64,
    pulledInPeriod: u64,
    receiverOwner: key,
    receiverTokenAccount: key,
    puller: key,
  }),
};

export const SUBSCRIPTION_RESUMED = {
  kind: 5,
  layout: struct({ plan: key, subscriber: key, resumedTs: i64 }),
};

export const PLAN_UPDATED = {
  kind: 6,
  layout: struct({ plan: key, owner: key, status: u8, endTs: i64, pullers: keys(4) }),
};

/** Emits an event. Its two accounts are checked only here, after everything else: 600, 604. */
export function emit<T>(
  context: InvokeContext,
  eventAuthority: AccountMeta,
  selfProgram: AccountMeta,
  { kind, layout }: EventKind<T>,
  fields: T,
): void {
  if (eventAuthority.address !== EVENT_AUTHORITY) refuse('InvalidEventAuthority');
  if (selfProgram.address !== SUBSCRIPTIONS_PROGRAM) refuse('InvalidSelfProgram');
  const accounts = [{ address: EVENT_AUTHORITY, isSigner: true, isWritable: false }];
  const data = Uint8Array.of(...EVENT_TAG, kind, ...layout.encode(fields));
  context.invoke({ programAddress: SUBSCRIPTIONS_PROGRAM, accounts, data }, [EVENT_AUTHORITY]);
}

/** Checks the account of an event: the program's own signature. The data is the event (program#events). */
export function emitEvent(context: InvokeContext): void {
  const [eventAuthority, ...others] = context.accounts;
  if (eventAuthority === undefined || others.length > 0) throw new InstructionFailure('NotEnoughAccountKeys');
  if (!eventAuthority.isSigner) throw new InstructionFailure('MissingRequiredSignature');
  if (eventAuthority.address !== EVENT_AUTHORITY) refuse('InvalidEventAuthority');
}
