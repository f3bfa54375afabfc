import * as z from 'zod';

import { MINT } from './example-subscription.js';
import { Network, PlanStatus } from './enums.js';
import { amountText, decimalText, isoDate } from './scalars.js';

const plan = {
  slug: 'pro',
  name: 'Pro',
  description: null,
  project_name: 'Acme',
  logo_url: null,
  amount: '9990000',
  amount_display: '9.99',
  amount_usd: '9.99',
  decimals: 6,
  symbol: 'USDC',
  mint: MINT,
  token: { symbol: 'USDC', name: 'USD Coin', logo_url: null, verified: true },
  period_hours: 720,
  network: 'mainnet-beta',
  status: 'active',
  available: true,
  ends_at: null,
};

/** A plan. A fact about its token, or its price in dollars, is null while it is not known. */
export const PlanWire = z
  .strictObject({
    slug: z.string().describe('Lowercase letters, digits and single hyphens.'),
    name: z.string().describe('The name of the plan.'),
    description: z.string().nullable().describe('What the plan offers, for people.'),
    project_name: z.string().describe('The name of the project that owns the plan.'),
    logo_url: z.string().nullable().describe('The address of its picture.'),
    amount: amountText.describe("The price of a period, in the token's smallest unit."),
    amount_display: decimalText.describe('The price in whole tokens.'),
    amount_usd: decimalText
      .nullable()
      .describe("The price in dollars, an estimate that moves with the token's price; null without one."),
    decimals: z.int().min(0).max(255).describe('Decimals of the token.'),
    symbol: z
      .string()
      .nullable()
      .describe(
        "What amounts are counted in: the token's symbol, or null when it has none or one that passes for a verified token's.",
      ),
    mint: z.string().describe("The token's address."),
    token: z
      .strictObject({
        symbol: z
          .string()
          .nullable()
          .describe('Its symbol, as the mint gave it when it is not verified; null when the mint gave none.'),
        name: z
          .string()
          .nullable()
          .describe('Its name, as the mint gave it when it is not verified; null when the mint gave none.'),
        logo_url: z.string().nullable().describe('The address of its picture.'),
        verified: z.boolean().describe('Whether the service knows the token.'),
      })
      .describe('What is known about the token.'),
    period_hours: z.int().min(1).max(8760).describe('Hours between charges.'),
    network: Network.describe('The cluster on which payments are made.'),
    status: PlanStatus.describe('active, or sunset when it takes no new subscriber. New values may appear.'),
    available: z
      .boolean()
      .describe(
        'Whether a new customer can subscribe: the plan is active, has not ended, and the project has a free seat.',
      ),
    ends_at: isoDate.nullable().describe("The plan's end date."),
  })
  .meta({ answer: 'Plan', example: plan });
export type PlanWire = z.infer<typeof PlanWire>;

/** Every published plan of a project, sorted by slug. */
export const PlanList = z
  .strictObject({
    plans: z.array(PlanWire).describe('Every published plan, sorted by slug.'),
  })
  .meta({ answer: 'PlanList', example: { plans: [plan] } });
export type PlanList = z.infer<typeof PlanList>;
