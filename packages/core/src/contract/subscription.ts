import * as z from 'zod';

import {
  BlockedReason,
  EndReason,
  LateReason,
  PaymentStatus,
  StopReason,
  SubscriptionStatus,
} from './enums.js';
import { isoDate } from './scalars.js';

/** One subscription of one wallet to one plan, as every answer and webhook shows it. */
export const SubscriptionWire = z.strictObject({
  id: z.string(),
  status: SubscriptionStatus,
  paused: z.boolean(),
  end_reason: EndReason.nullable(),
  late_reason: LateReason.nullable(),
  stop_reason: StopReason.nullable(),
  access: z.boolean(),
  payment_status: PaymentStatus,
  blocked_since: isoDate.nullable(),
  blocked_reason: BlockedReason.nullable(),
  plan: z.string().nullable(),
  wallet: z.string(),
  email: z.string().nullable(),
  external_id: z.string().nullable(),
  current_period_start: isoDate.nullable(),
  current_period_end: isoDate.nullable(),
  next_charge_at: isoDate.nullable(),
  next_retry_at: isoDate.nullable(),
  retry_deadline: isoDate.nullable(),
  next_retry_number: z.int().min(1).nullable(),
  retries_allowed: z.int().min(1).nullable(),
  access_until: isoDate.nullable(),
  closable: z.boolean(),
  closable_from: isoDate.nullable(),
  created_at: isoDate,
  confirmed_at: isoDate.nullable(),
});
export type SubscriptionWire = z.infer<typeof SubscriptionWire>;
