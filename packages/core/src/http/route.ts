import type { z } from 'zod';

import type { ErrorCode } from '../contract/errors.js';
import type { LIMITS } from '../contract/limits.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';

/** One call of a route, after every check. */
export interface Call<Query, Body> {
  readonly service: Service;
  readonly project: Project;
  /** What stands in the path's `{...}`; empty on a route without. */
  readonly named: string;
  readonly query: Query;
  readonly body: Body;
}

/** One route of the contract: everything the handler and the documents made from it need to know. */
export interface Route<Query = unknown, Body = unknown, Answer = unknown> {
  /** HEAD is answered by GET's route (requests#head-requests). */
  readonly method: 'GET' | 'POST';
  /** From `/v1` on, with at most one `{variable}`. */
  readonly path: string;
  readonly rate: keyof typeof LIMITS.callsPerMinute;
  readonly query: z.ZodType<Query>;
  /** Null on a route that takes no body: a body without a field is then let pass, with any content type (requests#post-without-a-body). */
  readonly body: z.ZodType<Body> | null;
  readonly status: 200 | 201 | 202;
  readonly answer: z.ZodType<Answer>;
  /** What the path's variable names nothing as, or null without a variable. */
  readonly missing: ErrorCode | null;
  /** Codes beside `missing` and those of any route (errors#codes-of-each-route). */
  readonly errors: readonly ErrorCode[];
  operation(call: Call<Query, Body>): Promise<Answer>;
}

/** An entry of the table, its operation typed by its schemas. */
export function route<Query, Body, Answer>(entry: Route<Query, Body, Answer>): Route {
  return entry;
}

const ANY_ROUTE: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'invalid_request',
  'unsupported_version',
  'payload_too_large',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Every code a route may answer (errors#codes-of-each-route). */
export function codesOf({ missing, errors }: Route): readonly ErrorCode[] {
  return [...ANY_ROUTE, ...(missing === null ? [] : [missing]), ...errors];
}
