import * as z from 'zod';

import { walletInput } from '../../contract/inputs.js';
import { amountText, decimalText, isoDate } from '../../contract/scalars.js';
import * as contract from '../../schemas.js';
import type { JsonSchema, OpenApiMedia } from './document.js';

/** The schemas of the contract that say in their metadata how the document names them. */
function named(kind: 'answer' | 'request'): Record<string, z.ZodType> {
  const schemas = Object.values(contract).filter((value) => value instanceof z.ZodType);
  return Object.fromEntries(
    schemas.flatMap((schema) => {
      const name = schema.meta()?.[kind];
      return typeof name === 'string' ? [[name, schema]] : [];
    }),
  );
}

/** The schemas of answers. They are open: versions add fields, and clients ignore fields they do not know. */
const ANSWERS = { ...named('answer'), Amount: amountText, Date: isoDate, Decimal: decimalText };

/** The schemas of requests. They are closed: an unknown field is refused. */
const REQUESTS = { ...named('request'), Wallet: walletInput };

/** Facts that the generator cannot derive from a schema: descriptions, and checks by a function. */
const ADDED_KEYWORDS: Readonly<Record<string, JsonSchema>> = {
  Date: {
    description: 'An instant, ISO 8601 in UTC with exactly three decimals.',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  },
  Amount: { description: 'A whole number as text, because it may not fit in a double.' },
  Decimal: { description: 'A decimal number as text.' },
  Wallet: { description: 'An address: base58 of 32 bytes.' },
};

const refOf = (name: string) => `#/components/schemas/${name}`;

type Names = z.core.$ZodRegistry<{ id: string }>;

function registry(schemas: Readonly<Record<string, z.ZodType>>): Names {
  const names: Names = z.registry();
  for (const [id, schema] of Object.entries(schemas)) names.add(schema, { id });
  return names;
}

function generated(schemas: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const { schemas: made } = z.toJSONSchema(registry(schemas), { io, uri: refOf, override: correct });
  return Object.keys(schemas).map((name) => {
    const { $schema: _dialect, $id: _id, ...own } = made[name] as JsonSchema;
    return [name, { ...own, ...ADDED_KEYWORDS[name] }] as const;
  });
}

/** Corrects the generated schema of a default and of a zod record, and drops metadata. */
function correct({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  delete jsonSchema['answer'];
  delete jsonSchema['request'];
  delete jsonSchema['example'];
  delete jsonSchema['forms'];
  // The value used when nothing is sent. The generator leaves it out where the input is transformed.
  if (def.type === 'default') jsonSchema['default'] = def.defaultValue;
  // A zod record has values of any kind, for which the generator would refer to a missing schema.
  if (def.type === 'record') jsonSchema.additionalProperties = {};
}

/** Allows an answer more fields than the schema has, because a version only grows. */
function opened(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as JsonSchema;
}

/** Every named schema of the document. */
export function schemas(): Record<string, JsonSchema> {
  const all = [
    ...generated(ANSWERS, 'output').map(([name, schema]) => [name, opened(schema)] as const),
    ...generated(REQUESTS, 'input'),
  ];
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The reference to a named schema. It throws for a schema without a name. */
export function refTo(schema: z.ZodType): JsonSchema {
  const entry = Object.entries({ ...ANSWERS, ...REQUESTS }).find(([, value]) => value === schema);
  if (entry === undefined)
    throw new TypeError(
      'An operation has a schema without a name in the document. Name it with `meta` where it is declared: `answer` or `request`.',
    );
  return { $ref: refOf(entry[0]) };
}

/** Writes `{}` for a schema of any JSON: the generator refers to `$defs`, which an inlined schema lacks. */
function withAnyJson(schema: JsonSchema): JsonSchema {
  const isAnyJson = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    '$ref' in value &&
    String(value.$ref).startsWith('#/$defs/');
  return JSON.parse(
    JSON.stringify(schema, (_, value: unknown) => (isAnyJson(value) ? {} : value)),
  ) as JsonSchema;
}

/** The JSON Schema of a schema that only one place uses, such as that of a query. */
export function inline(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _,
    ...whole
  } = z.toJSONSchema(schema, { io, override: correct }) as JsonSchema;
  const inlined = withAnyJson(whole);
  return io === 'output' ? opened(inlined) : inlined;
}

/** The examples of a schema of a route: one, or one of each form. Throws for a schema without one. */
export function examplesOf(schema: z.ZodType): Pick<OpenApiMedia, 'example' | 'examples'> {
  const { example, forms } = (schema.meta() ?? {}) as {
    readonly example?: unknown;
    readonly forms?: Readonly<Record<string, unknown>>;
  };
  if (example !== undefined) return { example };
  if (forms === undefined)
    throw new TypeError('A route has a schema without an example. Add one with `meta` where it is declared.');
  return {
    examples: Object.fromEntries(Object.entries(forms).map(([name, value]) => [name, { value }])),
  };
}
