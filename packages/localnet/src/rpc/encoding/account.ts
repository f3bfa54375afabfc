import { encodeBase64 } from '../../base64.js';
import type { AccountStore } from '../../runtime/account-store.js';
import { encodeBase58 } from '../../runtime/base58.js';
import { RENT_EXEMPT_EPOCH } from '../../runtime/native-runtime.js';
import type { AccountState } from '../../runtime/program.js';
import type { Param } from '../params.js';
import { RpcError } from '../rpc-error.js';
import { parseTokenData } from './parsed-token.js';
import { zstdFrame } from './zstd-frame.js';

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
/** A node encodes up to 128 bytes in base58, although its error says fewer. */
const BASE58_LIMIT = 128;

/** The encoding of an account's data. */
export interface AccountEncoding {
  /** `binary` is Solana's default when a request names no encoding: base58 as a bare string. */
  readonly encoding: (typeof ENCODINGS)[number];
  readonly dataSlice: { readonly offset: number; readonly length: number } | null;
}

/** Reads `encoding` and `dataSlice` of a request's configuration. */
export function readAccountEncoding(config: Param): AccountEncoding {
  return {
    encoding: config.member('encoding').or('binary', (param) => param.oneOf(ENCODINGS)),
    dataSlice: config.member('dataSlice').or(null, (slice) => ({
      offset: Number(slice.member('offset').u64()),
      length: Number(slice.member('length').u64()),
    })),
  };
}

/** Encodes an account as a node does. `accounts` finds a token account's mint, for its decimals. */
export function encodeAccount(
  account: AccountState,
  { encoding, dataSlice }: AccountEncoding,
  accounts: Pick<AccountStore, 'find'>,
): unknown {
  const parsed = encoding === 'jsonParsed' ? parseTokenData(account, accounts) : null;
  return {
    lamports: account.lamports,
    owner: account.owner,
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
    data: parsed ?? encodeData(slice(account.data, dataSlice), encoding),
  };
}

function encodeData(data: Uint8Array, encoding: AccountEncoding['encoding']): unknown {
  // An account that a node cannot parse is in base64.
  if (encoding === 'base64' || encoding === 'jsonParsed') return [encodeBase64(data), 'base64'];
  if (encoding === 'base64+zstd') return [encodeBase64(zstdFrame(data)), encoding];
  if (data.length > BASE58_LIMIT) {
    throw new RpcError(
      'invalidRequest',
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return encoding === 'binary' ? encodeBase58(data) : [encodeBase58(data), 'base58'];
}

function slice(data: Uint8Array, range: AccountEncoding['dataSlice']): Uint8Array {
  return range === null ? data : data.subarray(range.offset, range.offset + range.length);
}
