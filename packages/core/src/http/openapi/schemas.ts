import * as z from 'zod';

import { Access, AccessAnswer, AccessAttempt, AccessList } from '../../contract/access.js';
import { AttemptPage, AttemptWire } from '../../contract/attempt.js';
import { BuildAnswer, CostsWire, CreateAnswer, TermsWire } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { ErrorBody } from '../../contract/error-body.js';
import { EventPage, EventWire } from '../../contract/event.js';
import { walletInput } from '../../contract/inputs.js';
import { SubscriptionPage } from '../../contract/page.js';
import { PlanList, PlanWire } from '../../contract/plan.js';
import { ProjectWire } from '../../contract/project.js';
import { ConfirmBody, CreateBody, SubmitBody } from '../../contract/requests.js';
import { amountText, decimalText, isoDate } from '../../contract/scalars.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import type { JsonSchema } from './document.js';
import { descriptionOf } from './field-descriptions.js';

/** The schemas of answers. They are open: a version only grows, and clients ignore fields they do not know. */
const ANSWERS = {
  Access,
  AccessAnswer,
  AccessAttempt,
  AccessList,
  Amount: amountText,
  Attempt: AttemptWire,
  AttemptPage,
  Build: BuildAnswer,
  Confirmation,
  Costs: CostsWire,
  Created: CreateAnswer,
  Date: isoDate,
  Decimal: decimalText,
  Error: ErrorBody,
  Event: EventWire,
  EventPage,
  Plan: PlanWire,
  PlanList,
  Project: ProjectWire,
  Subscription: SubscriptionWire,
  SubscriptionPage,
  Terms: TermsWire,
} satisfies Record<string, z.ZodType>;

/** The schemas of requests. They are closed: an unknown field is refused. */
const REQUESTS = {
  ConfirmRequest: ConfirmBody,
  CreateRequest: CreateBody,
  SubmitRequest: SubmitBody,
  Wallet: walletInput,
} satisfies Record<string, z.ZodType>;

/** What the generator cannot derive from a schema: descriptions, and what the schema checks by a function. */
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
  return Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _dialect, $id: _id, ...own } = made[name] as JsonSchema;
    return [name, { ...described(schema, own), ...ADDED_KEYWORDS[name] }] as const;
  });
}

/** Corrects what the generator makes of a default and of a zod record. */
function correct({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  // The value used when nothing is sent. The generator leaves it out where the input is transformed.
  if (def.type === 'default') jsonSchema['default'] = def.defaultValue;
  // The fields of a zod record may have any values. The generator would refer to a schema that the document does not have.
  if (def.type === 'record') jsonSchema.additionalProperties = {};
}

/**
 * Adds the description of each field. It copies the schema first, because the generator gives fields with the same zod
 * schema the same object.
 */
function described(schema: z.ZodType, made: JsonSchema): JsonSchema {
  const copy = JSON.parse(JSON.stringify(made)) as JsonSchema;
  describe(schema as unknown as z.core.$ZodTypes, copy);
  return copy;
}

function describe(schema: z.core.$ZodTypes, json: JsonSchema): void {
  const { def } = schema._zod;
  const describeInner = (inner: z.core.$ZodType, at: JsonSchema | undefined) => {
    if (at !== undefined) describe(inner as z.core.$ZodTypes, at);
  };
  if (def.type === 'object') {
    for (const [field, inner] of Object.entries(def.shape)) {
      const property = json.properties?.[field];
      describeInner(inner, property);
      const description = descriptionOf(schema, field);
      if (property !== undefined && description !== undefined) property.description = description;
    }
  }
  if (def.type === 'optional' || def.type === 'default') describeInner(def.innerType, json);
  if (def.type === 'nullable') describeInner(def.innerType, json.anyOf?.[0]);
  if (def.type === 'array') describeInner(def.element, json.items);
  if (def.type === 'union')
    def.options.forEach((option, index) => describeInner(option, json.anyOf?.[index]));
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
  const named = [
    ...generated(ANSWERS, 'output').map(([name, schema]) => [name, opened(schema)] as const),
    ...generated(REQUESTS, 'input'),
  ];
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The reference to a named schema. It throws for a schema without a name. */
export function refTo(schema: z.ZodType): JsonSchema {
  const found = Object.entries({ ...ANSWERS, ...REQUESTS }).find(([, named]) => named === schema);
  if (found === undefined)
    throw new TypeError(
      'An operation has a schema without a name in the document. Add it to the named schemas of http/openapi/schemas.ts.',
    );
  return { $ref: refOf(found[0]) };
}

/** Writes `{}` for a schema of any JSON: the generator writes a reference into `$defs`, which an inlined schema does not have. */
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
  const made = withAnyJson(whole);
  return io === 'output' ? opened(described(schema, made)) : made;
}
