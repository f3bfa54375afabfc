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

/** The documented operation that a request calls; null for a path or method that does not exist. */
export function operationOf(method: string, url: string): string | null {
  const { pathname } = new URL(url);
  const verb = method === 'HEAD' ? 'GET' : method;
  const found = PATTERNS.find((one) => one.method === verb && one.pattern.test(pathname));
  const segment = found?.pattern.exec(pathname)?.[1] ?? '';
  return found !== undefined && isDecodable(segment) ? found.name : null;
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** The document with closed objects: clients must tolerate unknown fields, but the service sends none. */
const closed = JSON.parse(JSON.stringify(openApiDocument())) as ReturnType<typeof openApiDocument>;
for (const schema of Object.values(closed.components.schemas)) close(schema);

function close(schema: JsonSchema): void {
  if (schema.properties !== undefined && schema['additionalProperties'] === undefined) {
    schema['additionalProperties'] = false;
  }
  const inner = [schema.items, ...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])];
  for (const one of inner) if (one !== undefined) close(one);
}

// The document gives a date a pattern, which is stricter than its format.
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true }, allErrors: true });
ajv.addSchema({ $id: 'document:', ...closed });

const compiled = new Map<string, ValidateFunction>();

/** The validator of the schema at a path within the document, compiled once. */
function validatorAt(...steps: readonly (string | number)[]): ValidateFunction {
  const pointer = steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const known = compiled.get(pointer);
  if (known !== undefined) return known;
  const validate = ajv.compile({ $ref: `document:#${encodeURI(pointer)}` });
  compiled.set(pointer, validate);
  return validate;
}

const violationsBy = (validate: ValidateFunction, value: unknown, of: string): string[] =>
  validate(value)
    ? []
    : [`${of}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 600)}`];

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** The codes with which the service may answer a path that does not exist. */
const UNKNOWN_PATH_CODES = new Set([
  ...['not_found', 'missing_api_key', 'invalid_api_key', 'rate_limited', 'unavailable', 'internal_error'],
]);

/** How an answer violates the document of its operation and status; empty when it does not. */
export function violationsOf(operation: string | null, method: string, answer: Answer): readonly string[] {
  const { status, headers, text } = answer;
  const type = headers.get('content-type');
  const violations = type === 'application/json; charset=utf-8' ? [] : [`Content-Type is ${type}`];
  if (method === 'HEAD') return text === '' ? violations : [...violations, 'HEAD has a body'];
  const body = parsed(text);
  if (body === undefined) return [...violations, `The body is not JSON: ${text.slice(0, 200)}`];
  if (status >= 400) violations.push(...errorViolations(body as ErrorBody, answer));
  if (operation === null) {
    const { code } = body as ErrorBody;
    if (!UNKNOWN_PATH_CODES.has(code)) violations.push(`A path that does not exist answers ${code}`);
    return [...violations, ...violationsBy(validatorAt('components', 'schemas', 'Error'), body, 'error')];
  }
  const documented = OPERATIONS.get(operation)?.responses[String(status)];
  if (documented === undefined) return [...violations, `${status} is not documented: ${text.slice(0, 300)}`];
  const [verb = '', path = ''] = operation.split(' ');
  const schema = [
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
    ...violations,
    ...violationsBy(validatorAt(...schema), body, 'body'),
    ...headerViolations(headers, new Set(Object.keys(documented.headers ?? {}))),
    ...eventsOf(body).flatMap(eventViolations),
  ];
}

/** The violations by headers: documented ones must match their schema, and the service sends no other. */
function headerViolations(headers: Headers, documented: ReadonlySet<string>): string[] {
  const known = closed.components.headers as Record<string, { required?: boolean; schema: JsonSchema }>;
  return Object.entries(known).flatMap(([name, { required = false, schema }]) => {
    const text = headers.get(name);
    if (text === null) return required && documented.has(name) ? [`${name} is missing`] : [];
    if (!documented.has(name)) return [`${name} is not documented`];
    const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
    return violationsBy(validatorAt('components', 'headers', name, 'schema'), value, name);
  });
}

interface ErrorBody {
  readonly statusCode: number;
  readonly code: string;
  readonly message: string | readonly string[];
  readonly retryable: boolean;
  readonly request_id: string;
}

/** The only refusal with `invalid_request` that is one sentence, because no single field is at fault. */
const CUSTOMER_REFUSAL = 'Name the customer by exactly one of wallet, external_id and email.';

/** Violations that the schema of an error cannot express. */
function errorViolations(
  { code, message, request_id, statusCode }: ErrorBody,
  { status, headers }: Answer,
): string[] {
  const violations: string[] = [];
  if (statusCode !== status) violations.push(`statusCode is ${statusCode} in an answer of status ${status}`);
  if (request_id !== headers.get('service-request-id'))
    violations.push('request_id is not that of the header');
  const isList = code === 'invalid_request' && message !== CUSTOMER_REFUSAL;
  if (Array.isArray(message) !== isList)
    violations.push(`The message of ${code} must ${isList ? '' : 'not '}be a list`);
  const isReadable = [message]
    .flat()
    .every((one) => (code === 'not_found' ? isUnknownPath(one) : isSentence(one)));
  if (!isReadable) violations.push(`The message is not readable: ${JSON.stringify(message)}`);
  // A failure may happen before the call is counted by the rate limit.
  if (status < 500 && RATE_LIMIT_HEADERS.some((name) => headers.get(name) === null))
    violations.push('The rate limit headers are missing');
  if (status === 429 && headers.get('retry-after') === null) violations.push('Retry-After is missing');
  return violations;
}

/** Whether a message has the form of one about an unknown path (errors#unknown-route-message). */
function isUnknownPath(text: string): boolean {
  return text.length <= 300 && /^Cannot \S+ \//.test(text);
}

/** Whether a message is a whole sentence that is short and without the terms of schemas. */
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

/** The violations of an event in a list, which must have the form that its webhook documents. */
function eventViolations(event: EventBody): string[] {
  const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'];
  return violationsBy(validatorAt('webhooks', event.type, ...schema), event, event.type);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
