import type { z } from 'zod';

import { ServiceError } from './errors.js';
import { read } from './validation-messages.js';

/** The input as a schema reads it. Throws `invalid_request` with one sentence for each fault, which names the field. */
export function validated<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const made = read(schema, input);
  if ('sentences' in made) throw new ServiceError('invalid_request', { sentences: made.sentences });
  return made.value;
}
