import type * as z from 'zod';

import { ServiceError } from './errors.js';

/** The most faults of a request that one answer lists. */
const MOST_SENTENCES = 20;

/** The most characters of a name from the request that a message repeats. */
const MOST_OF_A_NAME = 64;

/**
 * Parses a value by a schema, or explains the refusal in sentences: one for each fault, with the name of the
 * field. Rules with a message in the schema (`must be a wallet address`) keep it; `inWords` has the others.
 */
export function read<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
): { readonly value: Output } | { readonly sentences: readonly string[] } {
  const result = schema.safeParse(value, WITH_MESSAGES);
  return result.success
    ? { value: result.data }
    : { sentences: result.error.issues.slice(0, MOST_SENTENCES).map(sentence) };
}

function sentence({ path, message, input }: z.core.$ZodIssue): string {
  const missing = input === undefined && message.startsWith('must ');
  return `${subject(path)} ${missing ? `is missing: it ${message}` : message}.`;
}

/** The subject of a sentence: the field or item at a path. */
function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  const rest = path.slice(0, -1);
  if (last === undefined) return 'The request';
  if (typeof last === 'number')
    return `Item ${last + 1} of ${rest.length === 0 ? 'the request' : subject(rest)}`;
  return rest.length === 0 ? quoted(last) : `${quoted(last)} of ${subject(rest)}`;
}

/** A name from the request in quotes. Of a long name it has only the start. */
export function quoted(name: PropertyKey): string {
  return JSON.stringify(
    Array.from(String(name).slice(0, 2 * MOST_OF_A_NAME))
      .slice(0, MOST_OF_A_NAME)
      .join(''),
  );
}

/** Names at most five of the fields that the request must not have. */
function mustNotContain(names: readonly string[]): string {
  return `must not contain ${names.slice(0, 5).map(quoted).join(', ')}${names.length > 5 ? ' and more' : ''}`;
}

/** The message for a fault without one in the schema. The name of the field precedes it. */
function inWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return `must ${bounded(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'too_big':
      return `must ${bounded(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the format of this field'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return mustNotContain(issue.keys);
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))))}`;
    case 'invalid_key':
      return 'must not contain a field of that name';
    case 'invalid_element':
      return 'must not contain an item of that kind';
    case 'invalid_union':
      return 'must match one of the forms that this field can have';
    case 'custom':
    default:
      return 'is not valid';
  }
}

/**
 * The parameters of parsing. zod copies them with `async` false. The field is here too, because adding a
 * field to a copy is slow in V8: slower than parsing a short query.
 */
const WITH_MESSAGES = { error: inWords, reportInput: true, async: false };

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

function bounded(origin: string, bound: bigint | number, comparison: string): string {
  const singular = Number(bound) === 1;
  if (origin === 'string') return `be ${comparison} ${bound} ${singular ? 'character' : 'characters'} long`;
  if (origin === 'array' || origin === 'set')
    return `have ${comparison} ${bound} ${singular ? 'item' : 'items'}`;
  return `be ${comparison} ${bound}`;
}

function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}

/** Parses an input. Throws `invalid_request` with a sentence for each fault, which names the field. */
export function validated<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = read(schema, input);
  if ('sentences' in result) throw new ServiceError('invalid_request', { sentences: result.sentences });
  return result.value;
}
