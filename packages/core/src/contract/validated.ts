import type * as z from 'zod';

import { ServiceError } from './errors.js';
import { read } from './validation-messages.js';

/** Parses an input. Throws `invalid_request` with a sentence for each fault, which names the field. */
export function validated<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = read(schema, input);
  if ('sentences' in result) throw new ServiceError('invalid_request', { sentences: result.sentences });
  return result.value;
}
