import { type Address, type ReadonlyUint8Array, getBase64Encoder, isAddress } from '@solana/kit';
import type { ChainResult } from '@subrail/core/ports';
import { MalformedResponse, field, list, text, whole } from './response-fields.js';
import { CLOCK_SYSVAR } from '../program/addresses.js';
import { decodeClock } from '../program/unix-time.js';
import type { CallRpc } from './failover.js';
import type { Commitment, SlotFloor } from './slot-floor.js';

/** The most accounts that one call may read. */
export const ACCOUNTS_PER_CALL = 100;

/** An account without its lamports: the program that owns it, and its data. */
export interface Account {
  readonly owner: Address;
  readonly data: ReadonlyUint8Array;
}

/** An account with its lamports. */
export interface FundedAccount extends Account {
  readonly lamports: bigint;
}

/** Accounts as they were at one slot. */
export interface Snapshot {
  readonly slot: bigint;
  /** In the order of the addresses; null for an account that does not exist. */
  readonly accounts: readonly (FundedAccount | null)[];
}

/** Reads at most 100 accounts in one call. */
export type ReadAccounts = (
  addresses: readonly Address[],
  commitment: Commitment,
) => Promise<ChainResult<Snapshot>>;

/** Creates a reader of accounts that returns no state older than one it returned in the last minute. */
export function createReadAccounts(call: CallRpc, floor: SlotFloor): ReadAccounts {
  return (addresses, commitment) => {
    const clockIndex = addresses.indexOf(CLOCK_SYSVAR);
    return call({
      send: (rpc, signal) =>
        rpc
          .getMultipleAccounts(addresses, { encoding: 'base64', commitment, ...floor.at(commitment) })
          .send({ abortSignal: signal }),
      read: (response) => {
        const slot = whole(field(field(response, 'context'), 'slot'), 'context slot');
        const accounts = list(field(response, 'value'), 'value').map(accountOrNull);
        if (accounts.length !== addresses.length) throw new MalformedResponse('number of accounts');
        floor.admit(commitment, slot);
        return { slot, accounts };
      },
      readTime: (response) => {
        const account = list(field(response, 'value'), 'value')[clockIndex];
        return account === undefined ? null : timeOf(accountOrNull(account));
      },
    });
  };
}

function timeOf(account: Account | null): Date | null {
  return account === null ? null : decodeClock(account.data);
}

function accountOrNull(value: unknown): FundedAccount | null {
  return value === null ? null : accountOf(value);
}

/** An account in a response, in base64. */
export function accountOf(value: unknown): FundedAccount {
  const owner = text(field(value, 'owner'), 'owner');
  const [data, encoding] = list(field(value, 'data'), 'data');
  if (encoding !== 'base64' || !isAddress(owner)) throw new MalformedResponse('account');
  return { owner, lamports: whole(field(value, 'lamports'), 'lamports'), data: bytesOf(text(data, 'data')) };
}

function bytesOf(base64: string): ReadonlyUint8Array {
  try {
    return getBase64Encoder().encode(base64);
  } catch {
    throw new MalformedResponse('data');
  }
}
