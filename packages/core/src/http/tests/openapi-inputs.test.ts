import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { decodeBase58 } from '../../contract/base58.js';
import { openApiDocument, type JsonSchema, type OpenApiParameter } from '../openapi.js';
import { CONTRACT_OPERATIONS } from '../../operation-table.js';
import { Nothing } from '../../contract/requests.js';
import { aSignature, anAddress } from '../../testing/records.js';

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: 'document:', ...document });

const compile = (schema: JsonSchema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document:#/')) as JsonSchema);

/** Every body and query of a route: the schema that validates it, and that of the OpenAPI document. */
const INPUTS = CONTRACT_OPERATIONS.flatMap(
  (route): [name: string, served: z.ZodType, documented: JsonSchema][] => {
    const operation = document.paths[route.path]?.[route.method === 'GET' ? 'get' : 'post'];
    if (operation === undefined) throw new Error(`The document has no ${route.method} ${route.path}.`);
    const parameters = operation.parameters.filter(
      (parameter): parameter is OpenApiParameter => 'in' in parameter && parameter.in === 'query',
    );
    const query: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
    const body = operation.requestBody?.content['application/json']?.schema;
    const name = `${route.method} ${route.path}`;
    return [
      [`the query of ${name}`, (route.method === 'GET' ? route.input : null) ?? Nothing, query],
      ...(route.input === null || body === undefined
        ? []
        : [[`the body of ${name}`, route.input, body] as never]),
    ];
  },
);

const SPACES = [' ', '\u00a0', '\u2028', '\ufeff', '\t', '\n'];
const texts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'pro',
      'ann@example.com',
      ' Ann.Lee+x@Example.CO.UK\n',
      '\u212aelvin@example.com',
      'a..b@c.co',
      '.a@b.co',
    ],
    ...[
      'a@b.c',
      'true',
      '1',
      '0',
      '20',
      '100',
      '101',
      '05',
      '-1',
      'subscription.renewed',
      'sub_1',
      'x'.repeat(65),
    ],
  ),
  fc.constantFrom(anAddress(), aSignature(), '1'.repeat(64), '1'.repeat(32), 'z'.repeat(44), 'z'.repeat(88)),
  fc
    .tuple(
      fc.constantFrom(61, 62, 63, 64, 65, 85, 88, 89, 127, 252, 253, 254, 255, 256, 257),
      fc.constantFrom('x', '💸', 'é'),
    )
    .map(([length, letter]) => letter.repeat(length)),
  fc.integer({ min: 244, max: 258 }).map((length) => `${'a'.repeat(length - 5)}@b.co`),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const padded = fc
  .tuple(
    fc.constantFrom('', '', '', ...SPACES, ' '.repeat(300)),
    texts,
    fc.constantFrom('', '', '', ...SPACES),
  )
  .map((parts) => parts.join(''));
const value = fc.oneof(
  { weight: 8, arbitrary: padded },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, 1, 100, 101, 1.5, true, false, null, [], {}, ['pro']) },
);
const names = [
  ...[
    'wallet',
    'external_id',
    'email',
    'plan',
    'attempts',
    'limit',
    'starting_after',
    'type',
    'subscription',
  ],
  ...['transaction', 'terms_signature', 'signature', 'unknown', 'constructor'],
];

/** A value that the field of a name accepts. */
const VALID: Readonly<Record<string, string>> = {
  wallet: anAddress(),
  signature: aSignature(),
  terms_signature: aSignature(),
  email: 'ann@example.com',
};

/** Whether a base58 text encodes a wrong number of bytes, which no keyword of JSON Schema can check. */
function hasWrongByteLength(input: Record<string, unknown>): boolean {
  const bytes = (name: string) => decodeBase58(String(input[name]))?.length;
  return ('wallet' in input && bytes('wallet') !== 32) || ('signature' in input && bytes('signature') !== 64);
}

describe('the OpenAPI document accepts exactly the inputs that the service accepts', () => {
  it.each(INPUTS)('%s', (_, served, documented) => {
    const validate = compile(documented);
    const fields = served instanceof z.ZodPrefault ? served.unwrap() : served;
    const ownNames = Object.keys((fields as z.ZodObject).shape);
    const input = fc.oneof(
      fc.dictionary(fc.constantFrom(...(ownNames.length === 0 ? names : ownNames)), value, { maxKeys: 4 }),
      fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }),
      // Inputs with every field or some, so that a body with two required fields is often valid.
      fc
        .tuple(
          fc.record(
            Object.fromEntries(
              ownNames.map((name) => [name, fc.oneof(value, fc.constant(VALID[name] ?? 'pro'))]),
            ),
          ),
          fc.subarray(ownNames),
        )
        .map(([all, some]) => Object.fromEntries(some.map((name) => [name, all[name]]))),
      fc.constantFrom<unknown>(null, [], 'pro', 17),
    );
    let accepted = 0;
    fc.assert(
      fc.property(input, (sent) => {
        const accepts = served.safeParse(sent).success;
        accepted += accepts ? 1 : 0;
        const agrees =
          validate(sent) === accepts || (!accepts && hasWrongByteLength(sent as Record<string, unknown>));
        if (!agrees)
          throw new Error(`${accepts ? 'accepted' : 'refused'}: ${ajv.errorsText(validate.errors)}`);
      }),
      { numRuns: 1_500 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
