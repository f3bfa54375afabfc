import type { StandardSchemaV1 } from '@standard-schema/spec';

import { ServiceError } from '../contract/errors.js';

/** How many of a request's faults are told at once. */
const MOST_SENTENCES = 20;

/**
 * The input as a schema reads it. Throws `invalid_request` with one sentence for each fault, which names the field.
 * Any Standard Schema serves; none of ours validates asynchronously.
 */
export function validated<Schema extends StandardSchemaV1>(
  schema: Schema,
  input: unknown,
): StandardSchemaV1.InferOutput<Schema> {
  const result = schema['~standard'].validate(input);
  if (result instanceof Promise) throw new TypeError('Input schemas must validate synchronously.');
  if (result.issues === undefined) return result.value;
  throw new ServiceError('invalid_request', {
    sentences: result.issues.slice(0, MOST_SENTENCES).map(sentence),
  });
}

function sentence({ path, message }: StandardSchemaV1.Issue): string {
  const field = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return `${field === '' ? 'The request' : `"${field}"`} ${message}.`;
}
