import { type Address, type ReadonlyUint8Array, getBase64Encoder, isAddress } from '@solana/kit';
import type { Answer } from '@subrail/core/ports';
import { MalformedResponse, field, list, text, whole } from './response-fields.js';
import type { Ask } from './failover.js';
import type { Commitment, SlotFloor } from './slot-floor.js';

/** The most accounts one call reads. */
export const ACCOUNTS_PER_CALL = 100;

export interface Account {
  readonly owner: Address;
  readonly data: ReadonlyUint8Array;
}

/** Accounts as they stood together at one slot. */
export interface Snapshot {
  readonly slot: bigint;
  /** In the order asked; null for one that does not exist. */
  readonly accounts: readonly (Account | null)[];
}

export type ReadAccounts = (
  addresses: readonly Address[],
  commitment: Commitment,
) => Promise<Answer<Snapshot>>;

/** Reads at most 100 accounts in one call, never from before what was read earlier. */
export function createReadAccounts(ask: Ask, floor: SlotFloor): ReadAccounts {
  return (addresses, commitment) =>
    ask({
      put: (rpc, signal) =>
        rpc
          .getMultipleAccounts(addresses, { encoding: 'base64', commitment, ...floor.at(commitment) })
          .send({ abortSignal: signal }),
      read: (answer) => {
        const slot = whole(field(field(answer, 'context'), 'slot'), 'context slot');
        const accounts = list(field(answer, 'value'), 'value').map(accountOf);
        if (accounts.length !== addresses.length) throw new MalformedResponse('number of accounts');
        floor.admit(commitment, slot);
        return { slot, accounts };
      },
    });
}

function accountOf(value: unknown): Account | null {
  if (value === null) return null;
  const owner = text(field(value, 'owner'), 'owner');
  const [data, encoding] = list(field(value, 'data'), 'data');
  if (encoding !== 'base64' || !isAddress(owner)) throw new MalformedResponse('account');
  return { owner, data: bytesOf(text(data, 'data')) };
}

function bytesOf(base64: string): ReadonlyUint8Array {
  try {
    return getBase64Encoder().encode(base64);
  } catch {
    throw new MalformedResponse('data');
  }
}
