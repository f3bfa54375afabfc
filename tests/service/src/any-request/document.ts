import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument, type JsonSchema, type OpenApiOperation } from '@subrail/core';

/** One answer as a client received it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The operations of the document, by method and path. */
export const OPERATIONS: ReadonlyMap<string, OpenApiOperation> = new Map(
  Object.entries(openApiDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => [`${verb.toUpperCase()} ${path}`, operation] as const),
  ),
);

const PATTERNS = [...OPERATIONS.keys()].map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`) };
});

/** Which operation a request asks for, as the document tells; null for a path or method that does not exist. */
export function operationOf(method: string, url: string): string | null {
  const { pathname } = new URL(url);
  const verb = method === 'HEAD' ? 'GET' : method;
  const found = PATTERNS.find((one) => one.method === verb && one.pattern.test(pathname));
  const named = found?.pattern.exec(pathname)?.[1] ?? '';
  return found !== undefined && isDecodable(named) ? found.name : null;
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** The document with its answers closed: what a client must bear, we must not send. */
const closed = JSON.parse(JSON.stringify(openApiDocument())) as ReturnType<typeof openApiDocument>;
for (const schema of Object.values(closed.components.schemas)) close(schema);

function close(schema: JsonSchema): void {
  if (schema.properties !== undefined && schema['additionalProperties'] === undefined) {
    schema['additionalProperties'] = false;
  }
  const inner = [schema.items, ...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  for (const one of inner) if (one !== undefined) close(one);
}

// The pattern of a date says more than its format.
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true }, allErrors: true });
ajv.addSchema({ $id: 'document:', ...closed });

const compiled = new Map<string, ValidateFunction>();

/** The validator of what stands at a place of the document, compiled once. */
export function validatorAt(...place: readonly (string | number)[]): ValidateFunction {
  const pointer = place
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const known = compiled.get(pointer);
  if (known !== undefined) return known;
  const made = ajv.compile({ $ref: `document:#${encodeURI(pointer)}` });
  compiled.set(pointer, made);
  return made;
}

const faultsBy = (validate: ValidateFunction, value: unknown, of: string): string[] =>
  validate(value)
    ? []
    : [`${of}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 600)}`];

const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** What any path that does not exist may answer (document, info). */
const NOWHERE = new Set([
  ...['not_found', 'missing_api_key', 'invalid_api_key', 'rate_limited', 'unavailable', 'internal_error'],
]);

/** What is wrong with an answer by the document for exactly this operation and status; empty when nothing is. */
export function faultsOf(operation: string | null, method: string, answer: Answer): readonly string[] {
  const { status, headers, text } = answer;
  const type = headers.get('content-type');
  const faults = type === 'application/json; charset=utf-8' ? [] : [`Content-Type is ${type}`];
  if (method === 'HEAD') return text === '' ? faults : [...faults, 'HEAD has a body'];
  const body = parsed(text);
  if (body === undefined) return [...faults, `not JSON: ${text.slice(0, 200)}`];
  if (status >= 400) faults.push(...errorFaults(body as ErrorBody, answer));
  if (operation === null) {
    const { code } = body as ErrorBody;
    if (!NOWHERE.has(code)) faults.push(`${code} of a path that does not exist`);
    return [...faults, ...faultsBy(validatorAt('components', 'schemas', 'Error'), body, 'error')];
  }
  const documented = OPERATIONS.get(operation)?.responses[String(status)];
  if (documented === undefined) return [...faults, `${status} is not documented: ${text.slice(0, 300)}`];
  const [verb = '', path = ''] = operation.split(' ');
  const place = [
    'paths',
    path,
    verb.toLowerCase(),
    'responses',
    status,
    'content',
    'application/json',
    'schema',
  ];
  return [
    ...faults,
    ...faultsBy(validatorAt(...place), body, 'body'),
    ...headerFaults(headers, new Set(Object.keys(documented.headers ?? {}))),
    ...eventsOf(body).flatMap(eventFaults),
  ];
}

/** A header that is documented has a value of its schema, and no other of ours is there. */
function headerFaults(headers: Headers, documented: ReadonlySet<string>): string[] {
  const told = closed.components.headers as Record<string, { required?: boolean; schema: JsonSchema }>;
  return Object.entries(told).flatMap(([name, { required = false, schema }]) => {
    const text = headers.get(name);
    if (text === null) return required && documented.has(name) ? [`${name} is missing`] : [];
    if (!documented.has(name)) return [`${name} is not documented`];
    const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
    return faultsBy(validatorAt('components', 'headers', name, 'schema'), value, name);
  });
}

interface ErrorBody {
  readonly statusCode: number;
  readonly code: string;
  readonly message: string | readonly string[];
  readonly retryable: boolean;
  readonly request_id: string;
}

/** What the schema of an error cannot say of it. */
function errorFaults(
  { code, message, request_id, statusCode }: ErrorBody,
  { status, headers }: Answer,
): string[] {
  const faults: string[] = [];
  if (statusCode !== status) faults.push(`statusCode ${statusCode} of ${status}`);
  if (request_id !== headers.get('service-request-id')) faults.push('request_id is not the header');
  if (Array.isArray(message) !== (code === 'invalid_request')) faults.push(`the message of ${code}`);
  const told = [message].flat().every((one) => (code === 'not_found' ? isUnknownPath(one) : isSentence(one)));
  if (!told) faults.push(`no sentence: ${JSON.stringify(message)}`);
  // A fault may come before the call could be counted.
  if (status < 500 && RATE.some((name) => headers.get(name) === null)) faults.push('not counted');
  if (status === 429 && headers.get('retry-after') === null) faults.push('Retry-After is missing');
  return faults;
}

/** errors#unknown-route-message. */
function isUnknownPath(text: string): boolean {
  return text.length <= 300 && /^Cannot \S+ \//.test(text);
}

/** A person can read it: it ends, it is not long, and it speaks of fields and not of schemas. */
function isSentence(text: string): boolean {
  const jargon =
    /expected|received|undefined|\bNaN\b|\[object|regex|pattern|union|schema|Invalid input|Unrecognized/;
  return (
    text.length <= 400 &&
    /^[A-Z"].*\.$/su.test(text) &&
    !jargon.test(text.replaceAll(/"(\\.|[^"\\])*"/g, '""'))
  );
}

interface EventBody {
  readonly object: 'event';
  readonly type: string;
}

function eventsOf(body: unknown): EventBody[] {
  const { object, data } = body as { object?: unknown; data?: unknown };
  if (object === 'event') return [body as EventBody];
  return Array.isArray(data)
    ? data.filter((item): item is EventBody => (item as { object?: unknown }).object === 'event')
    : [];
}

/** An event is listed as it is delivered, and so is what its webhook documents. */
function eventFaults(event: EventBody): string[] {
  const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'];
  return faultsBy(validatorAt('webhooks', event.type, ...schema), event, event.type);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
