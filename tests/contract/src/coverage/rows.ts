import { ERRORS, type JsonSchema, type OpenApiDocument } from '@subrail/core';
import type { Schemas } from './schemas.js';

/** Something the contract can answer: `GET /v1/access 404 plan_not_found`, `Subscription.email: null`. */
export type Row = string;

/** The route of `not_found` in its row, because no route of the document answers that code. */
export const NO_ROUTE = 'any other path or method';

/** The heading of a row on the coverage page: `Codes by route`, or the name of an object. */
export function headingOf(row: Row): string {
  return row.startsWith('code ') ? 'Codes by route' : (/^[^.:]+/.exec(row)?.[0] ?? row);
}

/** The row of an error code that a route can answer. */
export function codeRow(route: string, status: number, code: string): Row {
  return `code ${route}: ${status} ${code}`;
}

/** What a server answers before it knows a route. */
const BEFORE_ROUTES = ['request_timeout', 'expectation_failed', 'headers_too_large'];

/**
 * All that the contract can answer, by its document: each code of each route, and each enum value and each
 * field, with and without a value, of each object. Codes that no route under `/v1` answers are of other
 * routes.
 */
export function everyRow(document: OpenApiDocument, schemas: Schemas): ReadonlySet<Row> {
  const rows = new Set<Row>();
  const documented = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, { responses }] of Object.entries(operations)) {
      for (const [status, { content }] of Object.entries(responses)) {
        const { examples = {}, schema = {} } = content?.['application/json'] ?? {};
        if (Number(status) < 400) {
          addRows(schemas, schema, '', rows);
          continue;
        }
        for (const code of Object.keys(examples)) {
          documented.add(code);
          rows.add(codeRow(`${verb.toUpperCase()} ${path}`, Number(status), code));
        }
      }
    }
  }
  for (const type of Object.keys(document.webhooks)) addRows(schemas, schemas.detailOf(type), type, rows);
  for (const [code, { status }] of Object.entries(ERRORS)) {
    if (code === 'not_found' || BEFORE_ROUTES.includes(code)) rows.add(codeRow(NO_ROUTE, status, code));
    else if (!documented.has(code)) rows.add(codeRow('outside of /v1', status, code));
  }
  return rows;
}

/** Adds the rows of the schema at a place. */
function addRows(schemas: Schemas, unresolved: JsonSchema, at: string, rows: Set<Row>): void {
  const { schema, place } = schemas.resolve(unresolved, at);
  const branches = schema.anyOf ?? schema.allOf;
  if (branches !== undefined) {
    for (const branch of branches) addRows(schemas, branch, place, rows);
    return;
  }
  if (schema.items !== undefined) {
    addRows(schemas, schema.items, place, rows);
    return;
  }
  if (schema.properties !== undefined) {
    for (const [field, of] of Object.entries(schema.properties)) {
      if (schema.required?.includes(field) !== true) rows.add(`${place}.${field}: absent`);
      addRows(schemas, of, `${place}.${field}`, rows);
    }
    return;
  }
  for (const value of valuesOf(schema)) rows.add(`${place}: ${value}`);
}

/** The values of a schema that each have a row. */
function valuesOf(schema: JsonSchema): readonly string[] {
  if (schema.type === 'null') return ['null'];
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.enum !== undefined) return schema.enum.map(String);
  const known = schema['examples'];
  return Array.isArray(known) ? known.map(String) : ['set'];
}

/** The rows that an answer reaches, by the schema of the answer. */
export function reachedRows(
  schemas: Schemas,
  unresolved: JsonSchema,
  value: unknown,
  at = '',
): ReadonlySet<Row> {
  const rows = new Set<Row>();
  addReachedRows(schemas, unresolved, value, at, rows);
  return rows;
}

function addReachedRows(
  schemas: Schemas,
  unresolved: JsonSchema,
  value: unknown,
  at: string,
  rows: Set<Row>,
): void {
  const { schema, place } = schemas.resolve(unresolved, at);
  if (schema.anyOf !== undefined) {
    // Objects may have further fields, so a larger answer fits a schema with fewer required fields too: the
    // schema that requires the most counts.
    const required = (one: JsonSchema) => schemas.resolve(one, place).schema.required?.length ?? 0;
    const fitting = schema.anyOf.filter((one) => schemas.violations(one, value) === null);
    const [branch] = fitting.sort((one, other) => required(other) - required(one));
    if (branch !== undefined) addReachedRows(schemas, branch, value, place, rows);
    return;
  }
  if (schema.allOf !== undefined) {
    for (const branch of schema.allOf) addReachedRows(schemas, branch, value, place, rows);
    return;
  }
  if (schema.items !== undefined && Array.isArray(value)) {
    for (const item of value) addReachedRows(schemas, schema.items, item, place, rows);
    return;
  }
  if (schema.properties !== undefined && typeof value === 'object' && value !== null) {
    const fields = new Map(Object.entries(value));
    for (const [field, of] of Object.entries(schema.properties)) {
      if (fields.has(field)) addReachedRows(schemas, of, fields.get(field), `${place}.${field}`, rows);
      else rows.add(`${place}.${field}: absent`);
    }
    if (place === 'Event') addReachedDetail(schemas, fields, rows);
    return;
  }
  const reached = valuesOf(schema).includes('set') ? 'set' : String(value);
  // A schema with examples allows further values, which have no rows.
  if (schema['examples'] === undefined || valuesOf(schema).includes(reached))
    rows.add(`${place}: ${reached}`);
}

/** Adds the rows of an event's detail, whose schema depends on the event's type. */
function addReachedDetail(schemas: Schemas, event: ReadonlyMap<string, unknown>, rows: Set<Row>): void {
  const type = String(event.get('type'));
  addReachedRows(schemas, schemas.detailOf(type), event.get('detail'), type, rows);
}
