import { json, type Ask } from './world.js';

/** What every mount is asked, and answers alike: a name, an address's path and query, and the rest. */
export const ASKED: readonly (readonly [string, string, Ask])[] = [
  ['an answer', '/v1/things?colour=red', {}],
  ['an answer to HEAD', '/v1/things', { method: 'HEAD' }],
  ['a created one', '/v1/things', json({ name: 'lamp' })],
  ['an accepted one', '/v1/things/a/retry', { method: 'POST' }],
  ['a refused query', '/v1/things?size=1', {}],
  ['a refused body', '/v1/things', json('{')],
  ['too long a body', '/v1/things', json('x'.repeat(100_001))],
  ['an unserved version', '/v1/things', { headers: { 'Service-Version': 'latest' } }],
  ['no key', '/v1/things', { key: null }],
  ['an unknown path', '/v1/nothing', {}],
  ['a path outside of /v1', '/', {}],
  ['a fault', '/v1/fault', {}],
  ['an outage', '/v1/outage', {}],
];

/** The id is made up for each answer. */
export const withoutId = (text: string) => text.replaceAll(/req_[0-9A-Za-z]{24}/g, 'req_');
