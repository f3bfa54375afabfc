import { decodeBase58 } from '../../runtime/base58.js';
import type { AccountState } from '../../runtime/program.js';
import { readTokenAccount } from '../../runtime/token-layout.js';
import type { Param } from '../params.js';
import { invalidParam } from '../rpc-error.js';

const MAX_FILTERS = 4;
const MAX_BYTES = 128;

type Matches = (account: AccountState) => boolean;

/**
 * Reads the filters of `getProgramAccounts`, which must all match: `dataSize`, `memcmp`, `tokenAccountState`.
 */
export function readFilters(filters: Param): Matches {
  const tests = filters.or([], (param) => param.list(MAX_FILTERS, 'filters').map(readFilter));
  return (account) => tests.every((test) => test(account));
}

function readFilter(filter: Param): Matches {
  if (filter.value === 'tokenAccountState') return (account) => readTokenAccount(account) !== null;
  const dataSize = filter.member('dataSize');
  if (dataSize.given) {
    const size = Number(dataSize.u64());
    return ({ data }) => data.length === size;
  }
  const memcmp = filter.member('memcmp');
  if (!memcmp.given) throw filter.wrong('a dataSize or a memcmp filter');
  const offset = memcmp.member('offset').or(0, (param) => Number(param.u64()));
  const bytes = readBytes(memcmp);
  return ({ data }) =>
    data.length >= offset + bytes.length && bytes.every((byte, index) => data[offset + index] === byte);
}

function readBytes(memcmp: Param): Uint8Array {
  const encoding = memcmp.member('encoding');
  const text = memcmp.member('bytes');
  if (Array.isArray(text.value)) {
    return Uint8Array.from(text.list(MAX_BYTES, 'bytes'), (byte) => {
      if (byte.u64() > 255n) throw byte.wrong('a byte');
      return Number(byte.u64());
    });
  }
  const bytes =
    encoding.or('base58', (param) => param.oneOf(['base58', 'base64'])) === 'base64'
      ? Buffer.from(text.string(), 'base64')
      : decodeBase58(text.string());
  if (bytes === null || bytes.length > MAX_BYTES)
    throw invalidParam(`${text.name} must be at most ${MAX_BYTES} bytes in the given encoding`);
  return bytes;
}
