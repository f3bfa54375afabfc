import { decodeBase58 } from '../../runtime/base58.js';
import type { Param } from '../params.js';

const MAX_FILTERS = 4;
const MAX_BYTES = 128;

/**
 * Reads the filters of `getProgramAccounts`, all of which must match: `dataSize`, and `memcmp` with bytes in base58 or
 * base64.
 */
export function readFilters(filters: Param): (data: Uint8Array) => boolean {
  const tests = filters.given ? filters.list(MAX_FILTERS).map(readFilter) : [];
  return (data) => tests.every((test) => test(data));
}

function readFilter(filter: Param): (data: Uint8Array) => boolean {
  const dataSize = filter.member('dataSize');
  if (dataSize.given) {
    const size = Number(dataSize.u64());
    return (data) => data.length === size;
  }
  const memcmp = filter.member('memcmp');
  if (!memcmp.given) throw filter.wrong('a dataSize or a memcmp filter');
  const offsetParam = memcmp.member('offset');
  const offset = offsetParam.given ? Number(offsetParam.u64()) : 0;
  const bytes = readBytes(memcmp);
  return (data) =>
    data.length >= offset + bytes.length && bytes.every((byte, index) => data[offset + index] === byte);
}

function readBytes(memcmp: Param): Uint8Array {
  const encoding = memcmp.member('encoding');
  const text = memcmp.member('bytes');
  const bytes =
    encoding.given && encoding.oneOf(['base58', 'base64']) === 'base64'
      ? Buffer.from(text.string(), 'base64')
      : decodeBase58(text.string());
  if (bytes === null || bytes.length > MAX_BYTES)
    throw text.wrong(`at most ${MAX_BYTES} bytes in the given encoding`);
  return bytes;
}
