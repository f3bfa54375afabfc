export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
export const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SIGNATURE = `${'5'.repeat(86)}K`;
export const START = '2026-10-02T08:30:00.000Z';
export const END = '2026-11-01T08:30:00.000Z';

/** The fields that an answer about access shows too. */
export const running = {
  status: 'active',
  paused: false,
  end_reason: null,
  late_reason: null,
  stop_reason: null,
  access: true,
  payment_status: 'paid',
  blocked_since: null,
  blocked_reason: null,
  plan: 'pro',
  wallet: WALLET,
  current_period_end: END,
  next_charge_at: END,
  next_retry_at: null,
  retry_deadline: null,
  access_until: END,
  closable: false,
  closable_from: null,
} as const;

/** A subscription that is active and paid. */
export const subscription = {
  id: 'sub_7Hq2mZ0aVb4cXd6eYf8gTh1i',
  ...running,
  email: null,
  external_id: 'customer-42',
  current_period_start: START,
  next_retry_number: null,
  retries_allowed: null,
  created_at: '2026-10-02T08:29:30.000Z',
  confirmed_at: START,
} as const;
