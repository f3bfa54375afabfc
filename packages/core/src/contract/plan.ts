import * as z from 'zod';

import { Network, PlanStatus } from './enums.js';
import { amountText, decimalText, isoDate } from './scalars.js';

/** A plan. A fact about its token, or its price in dollars, is null while it is not known. */
export const PlanWire = z.strictObject({
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  project_name: z.string(),
  logo_url: z.string().nullable(),
  amount: amountText,
  amount_display: decimalText,
  amount_usd: decimalText.nullable(),
  decimals: z.int().min(0).max(255),
  symbol: z.string().nullable(),
  mint: z.string(),
  token: z.strictObject({
    symbol: z.string().nullable(),
    name: z.string().nullable(),
    logo_url: z.string().nullable(),
    verified: z.boolean(),
  }),
  period_hours: z.int().min(1).max(8760),
  network: Network,
  status: PlanStatus,
  available: z.boolean(),
  ends_at: isoDate.nullable(),
});
export type PlanWire = z.infer<typeof PlanWire>;

/** Every published plan of a project, sorted by slug. */
export const PlanList = z.strictObject({ plans: z.array(PlanWire) });
export type PlanList = z.infer<typeof PlanList>;
