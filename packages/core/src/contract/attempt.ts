import { z } from 'zod';

import { AttemptOutcome } from './enums.js';
import { page } from './page.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/** Contract, Attempt: one charge of one subscription. `reason` is an open family of snake_case strings. */
export const AttemptWire = z.strictObject({
  id: z.string(),
  attempted_at: isoDate,
  outcome: AttemptOutcome,
  reason: z.string().nullable(),
  amount: amountText,
  amount_received: amountText.nullable(),
  amount_usd: decimalText.nullable(),
  signature: z.string().nullable(),
  retry: z.boolean(),
  retry_number: z.int().min(1).nullable(),
  retries_allowed: z.int().min(1).nullable(),
  period_start: isoDate.nullable(),
});
export type AttemptWire = z.infer<typeof AttemptWire>;

/** The attempts list. `paid` counts every paid charge since the subscription began, not only the page's. */
export const AttemptPage = page(AttemptWire).extend({
  paid: z.strictObject({ count: z.int().min(0), amount: amountText }),
});
export type AttemptPage = z.infer<typeof AttemptPage>;
