import { json, type CallOptions } from './fixtures.js';

/** Requests that every mount answers alike: a description, the path with its query, and the other parts. */
export const MOUNT_REQUESTS: readonly (readonly [string, string, CallOptions])[] = [
  ['a successful GET', '/v1/widgets?colour=red', {}],
  ['a HEAD request', '/v1/widgets', { method: 'HEAD' }],
  ['a created resource', '/v1/widgets', json({ name: 'lamp' })],
  ['an accepted retry', '/v1/widgets/a/retry', { method: 'POST' }],
  ['a refused query', '/v1/widgets?size=1', {}],
  ['a refused body', '/v1/widgets', json('{')],
  ['an oversized body', '/v1/widgets', json('x'.repeat(100_001))],
  ['an unserved version', '/v1/widgets', { headers: { 'Service-Version': 'latest' } }],
  ['no key', '/v1/widgets', { key: null }],
  ['an unknown path', '/v1/nothing', {}],
  ['a path outside of /v1', '/', {}],
  ['a fault', '/v1/fault', {}],
  ['an outage', '/v1/outage', {}],
];

/** Removes request ids from a text, because each answer has its own. */
export const withoutRequestId = (text: string) => text.replaceAll(/req_[0-9A-Za-z]{24}/g, 'req_');
