import * as z from 'zod';

import { isoDate } from '../../../contract/scalars.js';

/** A subscription in sentences, for a person. The sentences may be reworded; a program reads the subscription instead. */
export const Explanation = z.strictObject({
  subscription: z.string(),
  /** The instant for which it is true, in the service's time. */
  as_of: isoDate,
  /** Whether it grants access. */
  access: z.boolean(),
  /** What state it is in, and why it has or has no access. */
  state: z.array(z.string()).readonly(),
  /** What will happen if nobody does anything, soonest first; `at` is null for what happens as soon as it can. */
  next: z.array(z.strictObject({ at: isoDate.nullable(), what: z.string() })).readonly(),
  /** What can be done, and by whom. Empty when all is well. */
  to_do: z
    .array(
      z.strictObject({
        who: z.enum(['customer', 'plan_owner', 'token_issuer', 'operator']),
        what: z.string(),
      }),
    )
    .readonly(),
  /** What happened, newest first, at most twenty. */
  happened: z.array(z.strictObject({ at: isoDate, what: z.string() })).readonly(),
});
export type Explanation = z.infer<typeof Explanation>;
