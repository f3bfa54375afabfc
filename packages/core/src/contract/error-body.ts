import * as z from 'zod';

import { ERRORS, type ErrorCode, type ServiceError } from './errors.js';
import { Missing } from './missing.js';

/** The name of each HTTP status: the field `error` of a body. */
export const STATUS_NAMES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
} as const satisfies Record<ServiceError['status'], string>;

/** The body of every error under `/v1`. */
export const ErrorBody = z
  .strictObject({
    statusCode: z.int().describe('The HTTP status.'),
    error: z.string().describe('The name of the HTTP status.'),
    code: z
      .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable: branch on it, and keep a default branch.'),
    message: z
      .union([z.string(), z.array(z.string()).min(1)])
      .describe('A sentence for a person, or a list of them when the request failed validation.'),
    retryable: z.boolean().describe('Whether the same request sent again unchanged may succeed later.'),
    request_id: z.string().describe('The same as the header Service-Request-Id.'),
  })
  .meta({ answer: 'Error' });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of every error under `/customer/v1`. */
export const CustomerErrorBody = ErrorBody.extend({
  missing: Missing.optional().describe(
    'What the wallet lacks, of insufficient_balance and insufficient_lamports.',
  ),
});
export type CustomerErrorBody = z.infer<typeof CustomerErrorBody>;

/**
 * Makes the body of an error. `message` is a list of sentences for a failed validation, and else a sentence
 * (errors#message-list-for-validation).
 */
export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  return {
    statusCode: error.status,
    error: STATUS_NAMES[error.status],
    code: error.code,
    message: error.sentences === null ? error.message : [...error.sentences],
    retryable: error.retryable,
    request_id: requestId,
  };
}

/** Makes the body of an error of a customer's route, which names missing money (portal#missing-money). */
export function customerErrorBody(error: ServiceError, requestId: string): CustomerErrorBody {
  const { missing } = error;
  return { ...errorBody(error, requestId), ...(missing === null ? {} : { missing }) };
}
