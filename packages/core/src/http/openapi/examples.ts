import type * as z from 'zod';

import { Access, type AccessAnswer } from '../../contract/access.js';
import { AttemptPage } from '../../contract/attempt.js';
import { BuildAnswer, CreateAnswer } from '../../contract/build.js';
import { Confirmation, REASONS } from '../../contract/confirmation.js';
import { EventPage, EventWire } from '../../contract/event.js';
import { SubscriptionPage } from '../../contract/page.js';
import { PlanList, PlanWire } from '../../contract/plan.js';
import { ProjectWire } from '../../contract/project.js';
import { ConfirmBody, CreateBody, SubmitBody } from '../../contract/requests.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import {
  END,
  MINT,
  SIGNATURE,
  START,
  running,
  subscription,
  WALLET,
} from '../../contract/example-subscription.js';
import type { OpenApiContent } from './document.js';

const access: AccessAnswer = {
  ...running,
  subscription_id: subscription.id,
  subscribed_since: START,
  first_subscribed_at: START,
  cancelled_at: null,
  revalidate_after: 300,
};

const plan: PlanWire = {
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

const build: BuildAnswer = {
  transaction: 'AQAB',
  last_valid_block_height: '312345678',
  transaction_expires_at: '2026-10-02T08:30:01.000Z',
};

const event: EventWire = {
  id: 'evt_1Aa2Bb3Cc4Dd5Ee6Ff7Gg8Hh',
  object: 'event',
  type: 'subscription.access_granted',
  created_at: START,
  network: 'mainnet-beta',
  api_version: '2026-10-02',
  sequence: 2,
  data: subscription,
  detail: { changed_at: START, blocked_reason: null, access_until: END },
};

const attempt: AttemptPage['data'][number] = {
  id: 'att_9Zz8Yy7Xx6Ww5Vv4Uu3Tt2Ss',
  attempted_at: START,
  outcome: 'paid',
  reason: null,
  amount: '9990000',
  amount_received: '9990000',
  amount_usd: '9.99',
  signature: SIGNATURE,
  retry: false,
  retry_number: null,
  retries_allowed: null,
  period_start: START,
};

const created: CreateAnswer = {
  subscription: { id: subscription.id, status: 'pending' },
  ...build,
  costs: {
    rent: { subscription: '2039280', authority: null, total: '2039280' },
    fee: { signatures: 2, per_signature: '5000', priority: '0', total: '10000' },
    total: '2049280',
  },
  terms: { message: 'Subscribe to Pro by Acme', expires_at: '2026-10-02T08:34:30.000Z' },
};

const project: ProjectWire = {
  id: 'proj_0Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh',
  name: 'Acme',
  network: 'mainnet-beta',
  tier: 'business',
  created_at: '2026-10-01T12:00:00.000Z',
};

/** One value of each schema that a route takes or answers. */
const EXAMPLES: ReadonlyMap<z.ZodType, unknown> = new Map<z.ZodType, unknown>([
  [AttemptPage, { data: [attempt], has_more: false, paid: { count: 1, amount: '9990000' } }],
  [BuildAnswer, build],
  [CreateAnswer, created],
  [EventPage, { data: [event], has_more: false, available_since: '2026-10-01T12:00:00.000Z' }],
  [EventWire, event],
  [PlanList, { plans: [plan] }],
  [PlanWire, plan],
  [ProjectWire, project],
  [SubscriptionPage, { data: [subscription], has_more: false }],
  [SubscriptionWire, subscription],
  [ConfirmBody, { signature: SIGNATURE }],
  [CreateBody, { plan: 'pro', wallet: WALLET, external_id: 'customer-42' }],
  [SubmitBody, { transaction: 'AQAB', terms_signature: SIGNATURE }],
]);

/** One value of each shape, for the schemas that have more than one. */
const EXAMPLES_BY_SHAPE: ReadonlyMap<z.ZodType, Readonly<Record<string, unknown>>> = new Map<
  z.ZodType,
  Readonly<Record<string, unknown>>
>([
  [Access, { with_plan: access, without_plan: { plans: [access], revalidate_after: 300 } }],
  [
    Confirmation,
    {
      settled: { subscription },
      not_settled: {
        subscription,
        reason: REASONS.transaction_expired,
        reason_code: 'transaction_expired',
      },
    },
  ],
]);

/** The examples of a schema that a route takes or answers. It throws for a schema without one. */
export function examplesOf(
  schema: z.ZodType,
): Pick<OpenApiContent['application/json'], 'example' | 'examples'> {
  const shapes = EXAMPLES_BY_SHAPE.get(schema);
  if (shapes !== undefined) {
    return {
      examples: Object.fromEntries(Object.entries(shapes).map(([name, value]) => [name, { value }])),
    };
  }
  const example = EXAMPLES.get(schema);
  if (example === undefined)
    throw new TypeError('A route has a schema without an example. Add one to http/openapi/examples.ts.');
  return { example };
}
