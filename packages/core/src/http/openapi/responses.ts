import * as z from 'zod';

import { errorBody } from '../../contract/error-body.js';
import { ERRORS, ServiceError, type ErrorCode } from '../../contract/errors.js';
import { Missing } from '../../contract/missing.js';
import { EXPORT_TYPES } from '../../contract/export-format.js';
import { codesOf, isExport, type Operation } from '../../operations/operation.js';
import type { OpenApiMedia, OpenApiResponse } from './document.js';
import { inline } from './schemas.js';

/** The headers of every answer under `/v1`, and those of every answer that a rate limit counted. */
export const HEADERS = {
  'Service-Request-Id': {
    required: true,
    description: 'The id of this call: req_ and 24 letters or digits.',
    schema: { type: 'string', pattern: '^req_[A-Za-z0-9]{24}$' },
  },
  'Service-Version': {
    required: true,
    description: 'The version the answer is written in.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Calls allowed in a window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Calls left in this window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the window ends.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait, when waiting helps.',
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

function headers(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every answer of a route: each call to it is counted. */
const HEADERS_OF_COUNTED = Object.keys(HEADERS).filter((name) => name !== 'Retry-After');

/** How a schema describes content: by a reference to a named schema with an example, or inline. */
export type ContentOf = (schema: z.ZodType, io: 'input' | 'output') => OpenApiMedia;

/** An answer that is a file. */
const FILES: Readonly<Record<string, OpenApiMedia>> = Object.fromEntries(
  Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: 'string' } }]),
);

/** An answer that says only that it was done. */
const NO_FIELDS: OpenApiMedia = { schema: { type: 'object', properties: {} } };

export function responsesOf(operation: Operation, contentOf: ContentOf): Record<string, OpenApiResponse> {
  const codes = codesOf(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((one, other) => one - other);
  return Object.fromEntries([
    [String(operation.status), success(operation, contentOf)],
    ...statuses.map((status) => [
      String(status),
      refusals(
        operation,
        status,
        codes.filter((code) => ERRORS[code].status === status),
      ),
    ]),
  ]) as Record<string, OpenApiResponse>;
}

function success(operation: Operation, contentOf: ContentOf): OpenApiResponse {
  const { output } = operation;
  const json = () => (output instanceof z.ZodVoid ? NO_FIELDS : contentOf(output, 'output'));
  return {
    description: 'The request succeeded.',
    headers: headers(HEADERS_OF_COUNTED),
    content: isExport(operation) ? FILES : { 'application/json': json() },
  };
}

function refusals({ scope }: Operation, status: number, codes: readonly ErrorCode[]): OpenApiResponse {
  const waits = codes.some((code) => ERRORS[code].retryAfter !== undefined);
  const isMoneyMissing = scope === 'customer' && codes.some((code) => code.startsWith('insufficient_'));
  const narrowed = {
    properties: {
      ...{ statusCode: { const: status }, code: { enum: [...codes] } },
      ...(isMoneyMissing ? { missing: inline(Missing, 'output') } : {}),
    },
  };
  const examples = codes.map((code) => {
    const refusal = new ServiceError(code);
    return [code, { value: errorBody(refusal, 'req_4Kk5Ll6Mm7Nn8Oo9Pp0Qq1Rr') }] as const;
  });
  return {
    description: `One of: ${codes.join(', ')}.`,
    headers: headers(waits ? Object.keys(HEADERS) : HEADERS_OF_COUNTED),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
