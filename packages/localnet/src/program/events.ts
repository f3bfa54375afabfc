import type { Address } from '@solana/kit';
import type { AccountMeta, InvokeContext } from '../runtime/program.js';
import { readonlySigner } from './account-metas.js';
import { SUBSCRIPTIONS_PROGRAM } from '../runtime/addresses.js';
import { EVENT_AUTHORITY } from './pdas.js';
import { refuse } from './errors.js';
import { type Struct, i64, key, keys, struct, u64, u8 } from './layout.js';

// Events are instructions with which the program invokes itself; only the program can sign for them (program#events).

const EVENT_TAG = Uint8Array.of(228, 69, 165, 46, 81, 203, 154, 29);

/** A kind of event: its byte after the tag, and its fields. */
export interface EventKind<T> {
  readonly kind: number;
  readonly layout: Struct<T>;
}

export const SUBSCRIPTION_CREATED: EventKind<{
  plan: Address;
  subscriber: Address;
  mint: Address;
  createdTs: bigint;
  payer: Address;
}> = {
  kind: 0,
  layout: struct({ plan: key, subscriber: key, mint: key, createdTs: i64, payer: key }),
};

export const SUBSCRIPTION_CANCELLED: EventKind<{ plan: Address; subscriber: Address; expiresAtTs: bigint }> =
  {
    kind: 1,
    layout: struct({ plan: key, subscriber: key, expiresAtTs: i64 }),
  };

export const SUBSCRIPTION_TRANSFER: EventKind<{
  subscription: Address;
  plan: Address;
  delegator: Address;
  mint: Address;
  /** The gross amount that left the wallet, before any transfer fee. */
  amount: bigint;
  periodStartTs: bigint;
  periodEndTs: bigint;
  pulledInPeriod: bigint;
  receiverOwner: Address;
  receiverTokenAccount: Address;
  puller: Address;
}> = {
  kind: 2,
  layout: struct({
    subscription: key,
    plan: key,
    delegator: key,
    mint: key,
    amount: u64,
    periodStartTs: i64,
    periodEndTs: i64,
    pulledInPeriod: u64,
    receiverOwner: key,
    receiverTokenAccount: key,
    puller: key,
  }),
};

export const SUBSCRIPTION_RESUMED: EventKind<{ plan: Address; subscriber: Address; resumedTs: bigint }> = {
  kind: 5,
  layout: struct({ plan: key, subscriber: key, resumedTs: i64 }),
};

export const PLAN_UPDATED: EventKind<{
  plan: Address;
  owner: Address;
  status: number;
  endTs: bigint;
  pullers: readonly Address[];
}> = {
  kind: 6,
  layout: struct({ plan: key, owner: key, status: u8, endTs: i64, pullers: keys(4) }),
};

/** Emits an event. Its two accounts are checked only here, after everything else: 600, 604. */
export function emit<T>(
  context: InvokeContext,
  eventAuthority: AccountMeta,
  selfProgram: AccountMeta,
  event: EventKind<T>,
  fields: T,
): void {
  if (eventAuthority.address !== EVENT_AUTHORITY) refuse('InvalidEventAuthority');
  if (selfProgram.address !== SUBSCRIPTIONS_PROGRAM) refuse('InvalidSelfProgram');
  const payload = event.layout.encode(fields);
  const data = new Uint8Array(EVENT_TAG.length + 1 + payload.length);
  data.set(EVENT_TAG);
  data[EVENT_TAG.length] = event.kind;
  data.set(payload, EVENT_TAG.length + 1);
  context.invoke(
    { programAddress: SUBSCRIPTIONS_PROGRAM, accounts: [readonlySigner(EVENT_AUTHORITY)], data },
    [EVENT_AUTHORITY],
  );
}
