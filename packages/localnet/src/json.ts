import { randomBytes } from 'node:crypto';

// No string of a caller's can be taken for a wrapped integer, since none knows the mark of this process.
const MARK = `${randomBytes(12).toString('hex')}:`;
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Reads JSON, integers of more than 15 digits as bigint. @throws {SyntaxError} for text that is no JSON */
export function parseJson(text: string): unknown {
  const wrapped = text.replace(STRING_OR_LONG_INTEGER, (token) =>
    token[0] === '"' ? token : `"${MARK}${token}"`,
  );
  return JSON.parse(wrapped, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** Writes JSON, a bigint as the integer it is, whatever its size. Members that are undefined are left out. */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
