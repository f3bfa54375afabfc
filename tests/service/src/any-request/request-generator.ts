import { CROWD, type Actor, type Stage } from './fixtures.js';
import type { Ask, Twist } from './steps.js';

/** A request on its way to be one. */
export interface Sketch {
  readonly method: string;
  /** Path and query, as they are typed into an address. */
  readonly address: string;
  readonly body: string | Uint8Array | null;
  readonly headers: Record<string, string>;
}

interface Parts {
  method: string;
  /** With `{id}` or `{slug}` in it. */
  path: string;
  named: string;
  query: [string, string][];
  rawQuery: string;
  /** Null on a route that takes no body. */
  fields: [string, unknown][] | null;
  body: string | Uint8Array | null;
  headers: Record<string, string>;
  key: string | null;
}

/** The request a step asks for, twisted; null for one that has no body to twist or the like. */
export function sketch(ask: Ask, actor: Actor, stage: Stage, signed: [string, unknown][]): Sketch | null {
  const [method = '', path = ''] = ask.operation.split(' ');
  const parts: Parts = {
    method,
    path,
    named: namedBy(ask, actor, stage),
    query: queryOf(ask, actor, stage),
    rawQuery: '',
    fields:
      ask.operation === 'POST /v1/subscriptions'
        ? creation(ask, actor, stage)
        : signed.length > 0
          ? signed
          : null,
    body: null,
    headers: {},
    key: stage.keys[actor.project],
  };
  for (const twist of ask.twists) apply(parts, twist, stage);
  return drawn(parts);
}

function pick<T>(from: readonly T[], choice: number): T {
  const chosen = from[choice % from.length];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}

function namedBy({ operation, choice }: Ask, actor: Actor, stage: Stage): string {
  if (operation.includes('{slug}')) return pick(stage.plans, choice);
  return operation.includes('/events/') ? pick(stage.events, choice) : actor.id;
}

/** A query that is in order. Which optional parameters it has is told by the choice's digits. */
function queryOf({ operation, choice }: Ask, actor: Actor, stage: Stage): [string, string][] {
  const has = (digit: number) => Math.floor(choice / 10 ** digit) % 3 === 0;
  const query: [string, string][] = [];
  const optionally = (digit: number, name: string, value: string) => {
    if (has(digit)) query.push([name, value]);
  };
  if (operation === 'GET /v1/access' || operation === 'GET /v1/subscriptions')
    query.push(customer(actor, choice));
  switch (operation) {
    case 'GET /v1/access':
      optionally(1, 'plan', has(2) ? pick(stage.plans, choice) : actor.plan);
      optionally(3, 'attempts', pick(['true', '1', 'false', '0'], choice));
      break;
    case 'GET /v1/subscriptions':
      optionally(1, 'plan', actor.plan);
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', actor.id);
      break;
    case 'GET /v1/subscriptions/{id}/attempts':
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', pick(stage.attempts, choice));
      break;
    case 'GET /v1/events':
      optionally(
        1,
        'type',
        pick(['subscription.renewed', 'subscription.ended', 'subscription.paused'], choice),
      );
      optionally(2, 'limit', String(1 + (choice % 100)));
      optionally(3, 'starting_after', pick(stage.events, choice));
      optionally(4, 'subscription', actor.id);
      break;
    default:
  }
  return query;
}

function customer({ wallet, externalId, id }: Actor, choice: number): [string, string] {
  const email = `${(externalId ?? id).replace('customer-', '').toLowerCase()}@example.com`;
  return pick(
    [['wallet', wallet] as const, ['external_id', externalId ?? id] as const, ['email', email] as const],
    choice,
  ).slice() as [string, string];
}

/** A new checkout of a stranger's wallet, one of a wallet that has something on the plan, or one of any plan there is. */
function creation({ choice }: Ask, actor: Actor, stage: Stage): [string, unknown][] {
  const kind = choice % 10;
  const other = Math.floor(choice / 10);
  const stranger = pick(stage.strangers, other).address;
  const [plan, wallet] =
    kind < 4
      ? [actor.project === 'business' ? 'pro' : actor.plan, stranger]
      : kind < 7
        ? [actor.plan, actor.wallet]
        : [pick(stage.plans, other), stranger];
  const fields: [string, unknown][] = [
    ['plan', plan],
    ['wallet', wallet],
  ];
  if (choice % 4 < 2) fields.push(['external_id', other % 9 === 0 ? CROWD : `customer-${other % 9}`]);
  if (choice % 3 === 0) fields.push(['email', `Reader.${other % 9}@Example.com`]);
  return fields;
}

function apply(parts: Parts, twist: Twist, stage: Stage): void {
  switch (twist.to) {
    case 'method':
      parts.method = twist.method;
      return;
    case 'named':
      parts.named = twist.encoded ? encoded(twist.text) : twist.text;
      return;
    case 'path':
      parts.path = `${parts.path}${twist.text}`;
      return;
    case 'query':
      parts.query.push([twist.name, twist.value]);
      return;
    case 'raw query':
      parts.rawQuery = twist.text;
      return;
    case 'field':
      parts.fields = [
        ...(parts.fields ?? []).filter(([name]) => name !== twist.name),
        [twist.name, twist.value],
      ];
      return;
    case 'dropped field':
      if (parts.fields !== null) parts.fields = parts.fields.filter((_, index) => index !== twist.index);
      else parts.query.splice(twist.index, 1);
      return;
    case 'near miss':
      nearMiss(parts, twist);
      return;
    case 'body':
      parts.body = twist.body;
      return;
    case 'big body':
      parts.body = sized(parts.fields ?? [], twist.bytes);
      if (parts.method === 'GET') parts.headers['Content-Length'] = String(twist.bytes);
      return;
    case 'headers':
      Object.assign(parts.headers, twist.headers);
      return;
    case 'key':
      parts.key = keyOf(twist.key, stage);
  }
}

/** A field, a parameter or the path's variable, almost as it should be. */
function nearMiss(parts: Parts, { index, how }: Extract<Twist, { to: 'near miss' }>): void {
  const field = parts.fields?.[index] ?? parts.query[index];
  if (field === undefined) parts.named = missed(parts.named, how);
  else if (typeof field[1] === 'string') field[1] = missed(field[1], how);
}

function missed(text: string, how: Extract<Twist, { to: 'near miss' }>['how']): string {
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

function keyOf(key: Extract<Twist, { to: 'key' }>['key'], { keys }: Stage): string | null {
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

/** The fields as JSON, with spaces at the end up to a size: around the limit all else is in order. */
function sized(fields: readonly [string, unknown][], bytes: number): string {
  const text = written(fields);
  return text + ' '.repeat(Math.max(0, bytes - new TextEncoder().encode(text).length));
}

/** By hand, because no object holds two fields of one name or a field named __proto__. */
function written(fields: readonly [string, unknown][]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`).join(',')}}`;
}

function drawn({ method, path, named, query, rawQuery, fields, body, headers, key }: Parts): Sketch {
  const asked = [...query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`), rawQuery];
  const text = asked.filter((part) => part !== '').join('&');
  const bodied = method !== 'GET' && method !== 'HEAD' && method !== 'get';
  return {
    method,
    address: `${path.replace(/\{\w+\}/, () => named)}${text === '' ? '' : `?${text}`}`,
    body: bodied ? (body ?? (fields === null ? null : written(fields))) : null,
    headers: {
      ...(fields === null ? {} : { 'Content-Type': 'application/json' }),
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
  };
}

/** As an address holds a text; half a surrogate pair has no such form and stays as it is. */
function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
