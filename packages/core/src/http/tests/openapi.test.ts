import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { EventType } from '../../contract/enums.js';
import { EVENT_DETAILS } from '../../contract/event-detail.js';
import { EventWire } from '../../contract/event.js';
import {
  customerDocument,
  type JsonSchema,
  managementDocument,
  openApiDocument,
  sessionDocument,
  walletDocument,
} from '../openapi.js';
import { codesOf } from '../../operations/operation.js';
import {
  CONTRACT_OPERATIONS,
  OPERATIONS,
  SESSION_OPERATIONS,
  WALLET_OPERATIONS,
} from '../../operation-table.js';

const document = openApiDocument();
// The document gives a date a pattern, which is stricter than its format.
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } });
ajv.addSchema({ $id: 'document:', ...document });

/** The violations of a schema of the document by a value. */
function violations(schema: JsonSchema, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document:#/');
  const validate = ajv.compile(JSON.parse(text) as JsonSchema);
  validate(value);
  return validate.errors ?? [];
}

const operations = CONTRACT_OPERATIONS.map((route) => {
  const operation = document.paths[route.path]?.[route.method === 'GET' ? 'get' : 'post'];
  if (operation === undefined) throw new Error(`The document has no ${route.method} ${route.path}.`);
  return [`${route.method} ${route.path}`, route, operation] as const;
});

// management#management-routes
describe('the OpenAPI document of the management routes', () => {
  const { paths, ...rest } = managementDocument();

  it('is valid OpenAPI by an independent validator', async () => {
    const result = await new Validator().validate(
      JSON.parse(JSON.stringify({ ...rest, paths })) as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
  });

  it('has every operation, with a description of each parameter', () => {
    const found = Object.values(paths).flatMap(({ get, post }) =>
      [get, post].filter((one) => one !== undefined),
    );
    expect(found.map(({ operationId }) => operationId).sort()).toEqual(
      OPERATIONS.map(({ name }) => name).sort(),
    );
    for (const { operationId, parameters } of found) {
      for (const parameter of parameters) {
        const { name, description } = parameter as { readonly name: string; readonly description: string };
        expect(description, `${operationId} ${name}`).toMatch(/^[A-Z].*\.$/);
      }
    }
  });
});

/** The parameters and the fields of answers that a document leaves undescribed. */
function undescribedIn({ paths }: ReturnType<typeof walletDocument>): readonly string[] {
  const undescribed: string[] = [];
  JSON.stringify(paths, (key, value: unknown) => {
    if (key === 'requestBody') return undefined;
    if (key !== 'properties' || typeof value !== 'object' || value === null) return value;
    if ('statusCode' in value) return undefined;
    for (const [name, field] of Object.entries(value))
      if ((field as JsonSchema).description === undefined) undescribed.push(name);
    return value;
  });
  const operations = Object.values(paths).flatMap(({ get, post }) => [get, post]);
  for (const parameter of operations.flatMap((one) => one?.parameters ?? []))
    if (!('description' in parameter && parameter.description.endsWith('.')))
      undescribed.push(JSON.stringify(parameter));
  return undescribed;
}

describe('the OpenAPI document of the routes of wallets', () => {
  const made = walletDocument();

  it('is valid OpenAPI by an independent validator, and needs no key', async () => {
    const result = await new Validator().validate(
      JSON.parse(JSON.stringify(made)) as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect([made.security, made.components.securitySchemes]).toEqual([[], {}]);
    for (const operation of WALLET_OPERATIONS) expect(codesOf(operation)).not.toContain('missing_api_key');
  });

  it('has every operation, and describes every parameter and every field of an answer', () => {
    expect(Object.keys(made.paths)).toEqual(WALLET_OPERATIONS.map(({ path }) => path));
    expect(undescribedIn(made)).toEqual([]);
  });
});

// portal#missing-money
describe('the OpenAPI document of the routes of customers', () => {
  const made = customerDocument();

  it('is valid OpenAPI by an independent validator, and has the numbers of missing money', async () => {
    const result = await new Validator().validate(
      JSON.parse(JSON.stringify(made)) as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    const refusing = Object.entries(made.paths).flatMap(([path, { post }]) =>
      JSON.stringify(post?.responses['409'] ?? {}).includes('"missing":{"type":"object"') ? [path] : [],
    );
    expect(refusing.sort()).toEqual([
      '/customer/v1/subscriptions',
      '/customer/v1/subscriptions/{id}/retry',
      '/customer/v1/subscriptions/{id}/transaction',
    ]);
    expect(JSON.stringify(document)).not.toContain('"missing":');
  });
});

// checkout-sessions#kinds-of-sessions
describe('the OpenAPI document of the routes that make sessions and links', () => {
  const made = sessionDocument();

  it('is valid OpenAPI by an independent validator, and needs the API key', async () => {
    const result = await new Validator().validate(
      JSON.parse(JSON.stringify(made)) as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect(made.security).toEqual([{ ApiKey: [] }]);
  });

  it('has every operation, and describes every parameter and every field', () => {
    const routes = Object.entries(made.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(SESSION_OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
    expect(undescribedIn(made)).toEqual([]);
    for (const { post } of Object.values(made.paths))
      for (const field of Object.values(
        post?.requestBody?.content['application/json']?.schema.properties ?? {},
      ))
        expect(field.description).toMatch(/\.$/);
  });

  // checkout-sessions#store-without-sessions
  it('has not_supported, for a store without sessions', () => {
    for (const operation of SESSION_OPERATIONS) expect(codesOf(operation)).toContain('not_supported');
  });
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI by an independent validator', async () => {
    const result = await new Validator().validate(
      JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
    );
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  // errors#codes-of-each-route
  // errors#codes-of-any-route
  it.each(operations)('%s lists its success and every code under its status', (_, route, operation) => {
    const codes = Object.entries(operation.responses)
      .filter(([status]) => status !== String(route.status))
      .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}));
    expect(codes.sort()).toEqual([...codesOf(route)].sort());
    expect(operation.responses).toHaveProperty(String(route.status));
  });

  it.each(operations)('every example of %s is valid by its own schema', (_, __, operation) => {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap(
      (part) => part?.content?.['application/json'] ?? [],
    );
    expect(contents.length).toBeGreaterThan(1);
    for (const { schema, example, examples = {} } of contents) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map((e) => e.value),
      ];
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(violations(schema, value)).toEqual([]);
    }
  });

  // events#event-types-and-detail
  it('describes every event as a webhook', () => {
    expect(Object.keys(document.webhooks)).toEqual(EventType.options);
  });

  it.each(EventType.options)('the example of %s is valid by its own schema, which is strict', (type) => {
    const content = document.webhooks[type]?.post.requestBody?.content['application/json'];
    const { schema = {}, example } = content ?? {};
    expect(violations(schema, example)).toEqual([]);
    const event = EventWire.parse(example);
    expect(event.type).toBe(type);
    expect(EVENT_DETAILS[type].safeParse(event.detail).success).toBe(true);
    expect(EVENT_DETAILS[type].safeParse({ ...event.detail, more: null }).success).toBe(false);
    for (const field of Object.keys(event.detail)) {
      const wrong = { ...event, detail: { ...event.detail, [field]: {} } };
      expect(violations(schema, wrong), field).not.toEqual([]);
    }
  });

  it('shows an example of each form of a result', () => {
    const examples = (path: string, verb: 'get' | 'post', status: string) =>
      Object.keys(
        document.paths[path]?.[verb]?.responses[status]?.content?.['application/json']?.examples ?? {},
      );
    expect(examples('/v1/access', 'get', '200')).toEqual(['with_plan', 'without_plan']);
    expect(examples('/v1/subscriptions/{id}/submit', 'post', '201')).toEqual(['settled', 'not_settled']);
  });

  it('describes every field, those of nested objects and events included', () => {
    const undescribed: string[] = [];
    const visit = (schema: JsonSchema, place: string): void => {
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        if (property.description === undefined) undescribed.push(`${place}.${field}`);
        visit(property, `${place}.${field}`);
      }
      for (const inner of [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])])
        visit(inner, place);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
    for (const type of EventType.options) {
      const content = document.webhooks[type]?.post.requestBody?.content['application/json'];
      visit(content?.schema.allOf?.[1]?.properties?.['detail'] ?? {}, type);
    }
    expect(undescribed).toEqual([]);
  });

  it('describes fields of the same name by their object', () => {
    const meaning = (object: string, field: string) =>
      document.components.schemas[object]?.properties?.[field]?.description;
    expect(meaning('Build', 'last_valid_block_height')).toContain('height');
    expect(meaning('Costs', 'total')).toContain('lamports');
    expect(meaning('Plan', 'amount')).toContain('price');
    expect(new Set(['Terms', 'Error'].map((object) => meaning(object, 'message'))).size).toBe(2);
    expect(
      new Set(['Plan', 'Subscription', 'AccessAnswer'].map((object) => meaning(object, 'status'))).size,
    ).toBe(3);
  });

  /** Every property of every named object, with its object. */
  function properties() {
    return Object.entries(document.components.schemas).flatMap(
      ([object, { properties = {}, required = [] }]) =>
        Object.entries(properties).map(([field, schema]) => ({ object, field, schema, required })),
    );
  }

  // requests#field-names-and-enums
  it('names fields in snake_case, and enum values of the resources in lowercase', () => {
    const fields = [...new Set(properties().map(({ field }) => field))];
    expect(fields.filter((field) => !/^[a-z]+(_[a-z]+)*$/.test(field))).toEqual(['statusCode']);
    const values = properties().flatMap(({ schema }) => schema.enum ?? []);
    expect(values.length).toBeGreaterThan(20);
    for (const value of values) expect(value).toMatch(/^[a-z]+([_.-][a-z]+)*$/);
  });

  // requests#large-integers-as-strings
  it('has amounts, block heights and lamports as text', () => {
    const amount = { $ref: '#/components/schemas/Amount' };
    expect(document.components.schemas['Amount']?.type).toBe('string');
    const schemaOf = (object: string, name: string) =>
      properties().find((property) => property.object === object && property.field === name)?.schema;
    expect(schemaOf('Plan', 'amount')).toMatchObject(amount);
    expect(schemaOf('Build', 'last_valid_block_height')).toMatchObject(amount);
    expect(schemaOf('Costs', 'total')).toMatchObject(amount);
  });

  // requests#null-fields
  it('requires every field of an answer but the few that may be left out', () => {
    const optional = properties().filter(({ field, required }) => !required.includes(field));
    const answers = optional.filter(({ object }) => !object.endsWith('Request'));
    expect(answers.map(({ object, field }) => `${object}.${field}`)).toEqual([
      'AccessAnswer.attempts',
      'Event.sequence',
    ]);
    const [settled, unsettled] = document.components.schemas['Confirmation']?.anyOf ?? [];
    expect(settled?.required).toEqual(['subscription']);
    expect(unsettled?.required).toEqual(['subscription', 'reason', 'reason_code']);
  });
});
