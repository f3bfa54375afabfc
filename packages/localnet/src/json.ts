import { randomBytes } from 'node:crypto';

// Marks an integer wrapped in a string. No caller can send it, because it is random for each process.
const MARK = `${randomBytes(12).toString('hex')}:`;
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Reads JSON; integers of more than 15 digits become bigint. @throws {SyntaxError} for other text */
export function parseJson(text: string): unknown {
  const wrapped = text.replace(STRING_OR_LONG_INTEGER, (token) =>
    token[0] === '"' ? token : `"${MARK}${token}"`,
  );
  return JSON.parse(wrapped, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** Writes JSON, with a bigint of any size as an integer. Members that are undefined are left out. */
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
