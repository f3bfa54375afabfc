import type { z } from 'zod';

/** How many of a request's faults are told at once. */
const MOST_SENTENCES = 20;

/** Of a name that came with a request, so that a sentence stays one. */
const MOST_OF_A_NAME = 64;

/**
 * Reads a value as a schema tells it, or says in sentences why it cannot be: one for each fault, with the field's name,
 * for a person. A schema words what is its own (`must be a wallet address`); `inWords` words all else.
 */
export function read<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
): { readonly value: Output } | { readonly sentences: readonly string[] } {
  const result = schema.safeParse(value, { error: inWords, reportInput: true });
  return result.success
    ? { value: result.data }
    : { sentences: result.error.issues.slice(0, MOST_SENTENCES).map(sentence) };
}

function sentence({ path, message, input }: z.core.$ZodIssue): string {
  const missing = input === undefined && message.startsWith('must ');
  return `${subject(path)} ${missing ? `is missing: it ${message}` : message}.`;
}

/** The field as a person calls it, at the start of a sentence. */
function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  const rest = path.slice(0, -1);
  if (last === undefined) return 'The request';
  if (typeof last === 'number')
    return `Item ${last + 1} of ${rest.length === 0 ? 'the request' : subject(rest)}`;
  return rest.length === 0 ? quoted(last) : `${quoted(last)} of ${subject(rest)}`;
}

/** A name that came with a request, or the start of a long one. */
export function quoted(name: PropertyKey): string {
  return JSON.stringify(
    Array.from(String(name).slice(0, 2 * MOST_OF_A_NAME))
      .slice(0, MOST_OF_A_NAME)
      .join(''),
  );
}

/** Names that a request has and must not have, at most five of them. */
function mustNotContain(names: readonly string[]): string {
  return `must not contain ${names.slice(0, 5).map(quoted).join(', ')}${names.length > 5 ? ' and more' : ''}`;
}

/** What a fault of each kind is told as by a schema that has no words of its own; the field's name comes before it. */
export function inWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return `must ${sized(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return `must ${sized(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in its form'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return mustNotContain(issue.keys);
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))))}`;
    case 'invalid_key':
      return 'must not have such a name in it';
    case 'invalid_element':
      return 'must not have such an item in it';
    case 'invalid_union':
      return 'must be of one of its kinds';
    case 'custom':
    default:
      return 'must be otherwise';
  }
}

const TYPES: Readonly<Partial<Record<string, string>>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const FORMATS: Readonly<Partial<Record<string, string>>> = {
  datetime: 'a date and time with its zone, such as 2026-10-02T08:30:00.000Z',
  date: 'a date, such as 2026-10-02',
  email: 'an email address',
  url: 'an address, such as https://example.com',
};

function sized(origin: string, bound: bigint | number, than: string): string {
  const one = Number(bound) === 1;
  if (origin === 'string') return `be ${than} ${bound} ${one ? 'character' : 'characters'} long`;
  if (origin === 'array' || origin === 'set') return `have ${than} ${bound} ${one ? 'item' : 'items'}`;
  return `be ${than} ${bound}`;
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}
