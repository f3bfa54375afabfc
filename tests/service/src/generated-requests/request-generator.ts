import { CUSTOMER_AT_CAP, type FixtureSubscription, type Fixtures } from './fixtures.js';
import type { RequestStep, Mutation } from './step-generator.js';

/** A request in plain values, before it is made a `Request`. */
export interface GeneratedRequest {
  readonly method: string;
  /** Path and query, encoded as an address holds them. */
  readonly address: string;
  readonly body: string | Uint8Array | null;
  readonly headers: Record<string, string>;
}

interface Parts {
  method: string;
  /** With `{id}` or `{slug}` in it. */
  path: string;
  /** What replaces the variable in the path. */
  named: string;
  query: [string, string][];
  rawQuery: string;
  /** Null on a route that takes no body. */
  fields: [string, unknown][] | null;
  body: string | Uint8Array | null;
  headers: Record<string, string>;
  key: string | null;
}

/** The request of a step with its mutations. */
export function generateRequest(
  step: RequestStep,
  subscription: FixtureSubscription,
  fixtures: Fixtures,
  signed: [string, unknown][],
): GeneratedRequest | null {
  const [method = '', path = ''] = step.operation.split(' ');
  const parts: Parts = {
    method,
    path,
    named: namedBy(step, subscription, fixtures),
    query: queryOf(step, subscription, fixtures),
    rawQuery: '',
    fields:
      step.operation === 'POST /v1/subscriptions'
        ? creation(step, subscription, fixtures)
        : signed.length > 0
          ? signed
          : null,
    body: null,
    headers: {},
    key: fixtures.keys[subscription.project],
  };
  for (const mutation of step.mutations) apply(parts, mutation, fixtures);
  return assemble(parts);
}

function pick<T>(from: readonly T[], choice: number): T {
  const chosen = from[choice % from.length];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}

function namedBy(
  { operation, choice }: RequestStep,
  subscription: FixtureSubscription,
  fixtures: Fixtures,
): string {
  if (operation.includes('{slug}')) return pick(fixtures.plans, choice);
  return operation.includes('/events/') ? pick(fixtures.events, choice) : subscription.id;
}

/** A valid query. The digits of `choice` decide which optional parameters it has. */
function queryOf(
  { operation, choice }: RequestStep,
  subscription: FixtureSubscription,
  fixtures: Fixtures,
): [string, string][] {
  const has = (digit: number) => Math.floor(choice / 10 ** digit) % 3 === 0;
  const query: [string, string][] = [];
  const optionally = (digit: number, name: string, value: string) => {
    if (has(digit)) query.push([name, value]);
  };
  if (operation === 'GET /v1/access' || operation === 'GET /v1/subscriptions')
    query.push(customer(subscription, choice));
  switch (operation) {
    case 'GET /v1/access':
      optionally(1, 'plan', has(2) ? pick(fixtures.plans, choice) : subscription.plan);
      optionally(3, 'attempts', pick(['true', '1', 'false', '0'], choice));
      break;
    case 'GET /v1/subscriptions':
      optionally(1, 'plan', subscription.plan);
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', subscription.id);
      break;
    case 'GET /v1/subscriptions/{id}/attempts':
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', pick(fixtures.attempts, choice));
      break;
    case 'GET /v1/events':
      optionally(
        1,
        'type',
        pick(['subscription.renewed', 'subscription.ended', 'subscription.paused'], choice),
      );
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', pick(fixtures.events, choice));
      optionally(4, 'subscription', subscription.id);
      break;
    default:
  }
  return query;
}

function customer({ wallet, externalId, id }: FixtureSubscription, choice: number): [string, string] {
  const email = `${(externalId ?? id).replace('customer-', '').toLowerCase()}@example.com`;
  return pick(
    [['wallet', wallet] as const, ['external_id', externalId ?? id] as const, ['email', email] as const],
    choice,
  ).slice() as [string, string];
}

/** A checkout of a new wallet, of a wallet that already is on the plan, or of any plan. */
function creation(
  { choice }: RequestStep,
  subscription: FixtureSubscription,
  fixtures: Fixtures,
): [string, unknown][] {
  const kind = choice % 10;
  const other = Math.floor(choice / 10);
  const newWallet = pick(fixtures.newWallets, other).address;
  const [plan, wallet] =
    kind < 4
      ? [subscription.project === 'business' ? 'pro' : subscription.plan, newWallet]
      : kind < 7
        ? [subscription.plan, subscription.wallet]
        : [pick(fixtures.plans, other), newWallet];
  const fields: [string, unknown][] = [
    ['plan', plan],
    ['wallet', wallet],
  ];
  if (choice % 4 < 2)
    fields.push(['external_id', other % 9 === 0 ? CUSTOMER_AT_CAP : `customer-${other % 9}`]);
  if (choice % 3 === 0) fields.push(['email', `Reader.${other % 9}@Example.com`]);
  return fields;
}

function apply(parts: Parts, mutation: Mutation, fixtures: Fixtures): void {
  switch (mutation.to) {
    case 'method':
      parts.method = mutation.method;
      return;
    case 'named':
      parts.named = mutation.encoded ? encoded(mutation.text) : mutation.text;
      return;
    case 'path':
      parts.path = `${parts.path}${mutation.text}`;
      return;
    case 'query':
      parts.query.push([mutation.name, mutation.value]);
      return;
    case 'raw query':
      parts.rawQuery = mutation.text;
      return;
    case 'field':
      parts.fields = [
        ...(parts.fields ?? []).filter(([name]) => name !== mutation.name),
        [mutation.name, mutation.value],
      ];
      return;
    case 'dropped field':
      if (parts.fields !== null) parts.fields = parts.fields.filter((_, index) => index !== mutation.index);
      else parts.query.splice(mutation.index, 1);
      return;
    case 'near miss':
      nearMiss(parts, mutation);
      return;
    case 'body':
      parts.body = mutation.body;
      return;
    case 'big body':
      parts.body = sized(parts.fields ?? [], mutation.bytes);
      if (parts.method === 'GET') parts.headers['Content-Length'] = String(mutation.bytes);
      return;
    case 'headers':
      Object.assign(parts.headers, mutation.headers);
      return;
    case 'key':
      parts.key = keyOf(mutation.key, fixtures);
  }
}

/** A field, a parameter or the path's variable, almost as it should be. */
function nearMiss(parts: Parts, { index, how }: Extract<Mutation, { to: 'near miss' }>): void {
  const field = parts.fields?.[index] ?? parts.query[index];
  if (field === undefined) parts.named = nearlyRight(parts.named, how);
  else if (typeof field[1] === 'string') field[1] = nearlyRight(field[1], how);
}

function nearlyRight(text: string, how: Extract<Mutation, { to: 'near miss' }>['how']): string {
  switch (how) {
    case 'cut':
      return text.slice(0, -1);
    case 'doubled':
      return text + text;
    case 'spaced':
      return ` ${text} `;
    case 'uppercased':
      return text.toUpperCase();
    case 'changed':
      return text.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
    case 'control':
      return `${text}\u0000`;
  }
}

function keyOf(key: Extract<Mutation, { to: 'key' }>['key'], { keys }: Fixtures): string | null {
  switch (key) {
    case 'none':
      return null;
    case 'malformed':
      return 'SUB_short';
    case 'unknown':
      return `SUB_${'x'.repeat(43)}`;
    case 'revoked':
    case 'business':
    case 'free':
    case 'full':
      return keys[key];
  }
}

/** The fields as JSON, padded with spaces to a size, so that only the size decides at the limit. */
function sized(fields: readonly [string, unknown][], bytes: number): string {
  const text = jsonOf(fields);
  return text + ' '.repeat(Math.max(0, bytes - new TextEncoder().encode(text).length));
}

/** Without JSON.stringify, since no object has two fields of one name or a field named __proto__. */
function jsonOf(fields: readonly [string, unknown][]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`).join(',')}}`;
}

function assemble({
  method,
  path,
  named,
  query,
  rawQuery,
  fields,
  body,
  headers,
  key,
}: Parts): GeneratedRequest {
  const parameters = [...query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`), rawQuery];
  const text = parameters.filter((part) => part !== '').join('&');
  const bodied = method !== 'GET' && method !== 'HEAD' && method !== 'get';
  return {
    method,
    address: `${path.replace(/\{\w+\}/, () => named)}${text === '' ? '' : `?${text}`}`,
    body: bodied ? (body ?? (fields === null ? null : jsonOf(fields))) : null,
    headers: {
      ...(fields === null ? {} : { 'Content-Type': 'application/json' }),
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
  };
}

/** Percent-encodes a text. Half a surrogate pair has no such encoding and is left as it is. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
