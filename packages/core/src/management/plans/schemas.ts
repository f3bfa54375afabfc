import * as z from 'zod';

import { PlanStatus } from '../../contract/enums.js';
import { lineInput, mintInput, walletInput, httpsUrl } from '../../contract/inputs.js';
import { PlanWire } from '../../contract/plan.js';
import { amountText, isoDate } from '../../contract/scalars.js';
import { WalletSubmitBody } from '../../contract/wallet.js';

/** A plan as its operator sees it. */
export const ManagedPlan = PlanWire.extend({
  id: z.string(),
  status: PlanStatus.describe('Of a draft, a published, a closed or a failed plan. New values may appear.'),
  website: z.string().nullable(),
  /** The wallet that owns the plan on chain and signs its changes. */
  owner: z.string(),
  /** The address of its account on chain. */
  address: z.string(),
  /** The first one is paid; the owner, when there is none. */
  destinations: z.array(z.string()).readonly(),
  /** The wallets besides the owner that may charge it, as last read from the chain; null before that. */
  pullers: z.array(z.string()).readonly().nullable(),
  retry_attempts: z.int().nullable(),
  retry_wait_minutes: z.int().nullable(),
  operator_plan: z.boolean(),
  /** Whether a customer who pays with one wallet is refused with another. */
  one_per_customer: z.boolean(),
  created_at: isoDate,
});
export type ManagedPlan = z.infer<typeof ManagedPlan>;

/** A change of a plan without a transaction. A field that is left out stays as it is. */
export const PlanUpdate = z.strictObject({
  /** Of a draft only: wallets sign the name of a published plan in their terms. */
  name: lineInput(1, 32).optional(),
  description: lineInput(1, 280).nullable().optional(),
  website: httpsUrl.nullable().optional(),
  logo_url: httpsUrl.nullable().optional(),
  one_per_customer: z.boolean().optional(),
});
export type PlanUpdate = z.input<typeof PlanUpdate>;

const endInput = z.iso.datetime({ offset: true });
const walletsInput = z
  .array(walletInput)
  .max(4)
  .refine((wallets) => new Set(wallets).size === wallets.length, { error: 'must be distinct wallets' });

/** A sunset. `ends_at` is required for a plan without an end, and may bring an end forward. */
export const PlanSunset = z.strictObject({ ends_at: endInput.optional() });
export type PlanSunset = z.input<typeof PlanSunset>;

/** An end, or an earlier one. */
export const PlanEnd = z.strictObject({ ends_at: endInput });
export type PlanEnd = z.input<typeof PlanEnd>;

/** Every wallet that may charge a plan besides its owner. */
export const PlanPullers = z.strictObject({
  pullers: walletsInput,
  /** Whether the service's charger may be missing, after which nothing is charged. */
  without_charger: z.boolean().default(false),
});
export type PlanPullers = z.input<typeof PlanPullers>;

/** A transaction about a plan that its owner's wallet signed, in base64. */
export const PlanSubmit = z.strictObject({ transaction: WalletSubmitBody.shape.transaction });
export type PlanSubmit = z.input<typeof PlanSubmit>;

/** The values that the chain must show for a change of a plan to be confirmed. */
export const ExpectedPlan = z.strictObject({
  status: z.enum(['active', 'sunset']).optional(),
  ends_at: endInput.optional(),
  pullers: walletsInput.optional(),
});
export type ExpectedPlan = z.input<typeof ExpectedPlan>;

const U64_MAX = 2n ** 64n - 1n;
const OUT_OF_RANGE = { error: 'must be 1 to 18446744073709551615, in the smallest unit of the token' };

/** A new plan. `amount` is text, in the token's smallest unit. */
export const PlanInput = z
  .strictObject({
    name: lineInput(1, 32),
    slug: z
      .string()
      .max(64)
      .regex(/^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/, {
        error: 'must be lowercase letters, digits and single hyphens, with at least one letter',
      })
      .optional(),
    description: lineInput(1, 280).nullable().default(null),
    website: httpsUrl.nullable().default(null),
    logo_url: httpsUrl.nullable().default(null),
    owner: walletInput,
    mint: mintInput,
    amount: amountText
      // A longer text is refused before it is parsed.
      .max(20, { ...OUT_OF_RANGE, abort: true })
      .refine((text) => BigInt(text) >= 1n && BigInt(text) <= U64_MAX, OUT_OF_RANGE),
    /** The decimals by which `amount` was computed from whole tokens. A token with others is refused. */
    decimals: z.int().min(0).max(255).optional(),
    period_hours: z.int().min(1).max(8760),
    destinations: walletsInput.default([]),
    /**
     * Whether `destinations` may be off the curve, without a key of any wallet, such as the vault of a
     * multisig.
     */
    allow_off_curve_destinations: z.boolean().default(false),
    ends_at: endInput.nullable().default(null),
    retry_attempts: z.int().min(1).max(10).nullable().default(null),
    retry_wait_minutes: z.int().min(15).max(525_600).nullable().default(null),
    /**
     * Whether the plan pays for the operator's own tiers: a subscription to it must land running and paid in
     * full.
     */
    operator_plan: z.boolean().default(false),
    /** Whether a customer (`external_id`, else `email`) who pays with one wallet is refused with another. */
    one_per_customer: z.boolean().default(false),
  })
  .refine((plan) => (plan.retry_attempts === null) === (plan.retry_wait_minutes === null), {
    error: 'and "retry_wait_minutes" must be set together or left out together',
    path: ['retry_attempts'],
  })
  .refine(
    // A period below 1 is refused by its own check, whose sentence is enough.
    ({ retry_attempts, retry_wait_minutes, period_hours }) =>
      period_hours < 1 || (retry_attempts ?? 0) * (retry_wait_minutes ?? 0) < period_hours * 60,
    {
      error:
        'must be so short that all retries fit in one period: retry_attempts times retry_wait_minutes must be less than period_hours times 60',
      path: ['retry_wait_minutes'],
    },
  );
export type PlanInput = z.input<typeof PlanInput>;
