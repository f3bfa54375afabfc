import * as z from 'zod';

import { CreateAnswer, TermsWire } from './build.js';
import { Network } from './enums.js';
import {
  cursorInput,
  emailInput,
  limitInput,
  slugInput,
  subscriptionIdInput,
  walletInput,
} from './inputs.js';
import { page } from './page.js';
import { PlanWire } from './plan.js';
import { fields, optionalInBody } from './requests.js';
import { isoDate } from './scalars.js';
import { CheckoutState } from './session.js';
import { SubscriptionWire } from './subscription.js';

/**
 * The actions that a customer may have on a subscription. `subscribe` pays for the same plan anew, and
 * `change` replaces it by one to another plan.
 */
export const CustomerAction = z.enum(['cancel', 'resume', 'close', 'retry', 'subscribe', 'change']);
export type CustomerAction = z.infer<typeof CustomerAction>;

/** A subscription as its customer sees it. */
export const CustomerSubscription = SubscriptionWire.extend({
  actions: z
    .array(CustomerAction)
    .describe('What the customer can do now, as far as the chain was last read. New values may appear.'),
  changes_to: z
    .array(z.string())
    .describe('The slugs of the plans to which the customer can change it; none without the action.'),
});
export type CustomerSubscription = z.infer<typeof CustomerSubscription>;

/** A page of a customer's subscriptions. */
export const CustomerSubscriptionPage = page(
  CustomerSubscription,
  'The subscriptions of this page, newest first.',
);
export type CustomerSubscriptionPage = z.infer<typeof CustomerSubscriptionPage>;

/** The query for a page of the customer's subscriptions. */
export const CustomerSubscriptionsQuery = fields({
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type CustomerSubscriptionsQuery = z.infer<typeof CustomerSubscriptionsQuery>;

/** The first view of a page, in one answer. */
export const CustomerSession = z.strictObject({
  id: z.string().nullable().describe('The id of the session; null for a customer of an app.'),
  kind: z.enum(['checkout', 'portal', 'app']).describe('app: the app says who the customer is.'),
  state: CheckoutState.describe('Whether it can be used. Only a checkout is ever complete.'),
  project: z
    .strictObject({
      name: z.string().describe('The name of the project.'),
      accent: z.string().nullable().describe('Its colour, such as #0a7d5a; null for that of the page.'),
      logo: z.string().nullable().describe('Its picture, as a data URL; null without one.'),
    })
    .describe('Whom the customer pays.'),
  service: z.string().describe('The name of the service, as the terms name it.'),
  network: Network.describe('The cluster on which payments are made.'),
  plans: z
    .array(
      PlanWire.extend({
        offered: z.boolean().describe('Whether the customer can subscribe to it here.'),
      }),
    )
    .describe('The plans that are offered, and those of the subscriptions.'),
  replaces: z
    .string()
    .nullable()
    .describe('The slug of the plan from which its customer changes; null when the customer subscribes.'),
  customer: z
    .strictObject({
      known: z.boolean().describe('Whether the server named the customer.'),
      email: z.string().nullable().describe('The email that the server named.'),
    })
    .describe('The customer, as far as the server named it.'),
  ask_email: z.boolean().describe('Whether a create may carry an email.'),
  success_url: z
    .string()
    .nullable()
    .describe('Where the page goes after the payment, with the id of the checkout; null to stay.'),
  back_url: z.string().nullable().describe('Where the page leads back to; null for nowhere.'),
  locale: z.string().nullable().describe('The language; null for that of the browser.'),
  expires_at: isoDate.nullable().describe('Until when it can be used; null without an end.'),
  subscriptions: z
    .array(CustomerSubscription)
    .describe('The newest subscriptions of the customer, at most 20, newest first.'),
  has_more: z.boolean().describe('Whether older subscriptions follow.'),
});
export type CustomerSession = z.infer<typeof CustomerSession>;

/** An opened link: the secret of the new session, and the first view of its page. */
export const OpenedLink = z.strictObject({
  secret: z.string().describe('The secret of the session, chs_ and 43 letters or digits.'),
  session: CustomerSession.describe('What the page shows first.'),
});
export type OpenedLink = z.infer<typeof OpenedLink>;

/** A new subscription of the caller. */
export const CustomerCreateBody = fields({
  plan: slugInput.describe('The slug of an offered plan.'),
  wallet: walletInput.describe('The address of the paying wallet.'),
  email: optionalInBody(emailInput).describe('The email of the customer, where the session asks for one.'),
  replaces: optionalInBody(subscriptionIdInput).describe(
    'The own subscription that this one replaces, for a change of plan.',
  ),
});
export type CustomerCreateBody = z.input<typeof CustomerCreateBody>;

/** The facts that a line of the terms can state. `other` is a line of another form. */
export const TermsFactName = z.enum([
  'service',
  'amount',
  'first_charge',
  'then',
  'last_charge',
  'access',
  'no_further_charge',
  'paid_to',
  'subscription',
  'token',
  'cancel',
  'plan',
  'plan_details',
  'wallet',
  'ends_now',
  'approval',
  'moves_nothing',
  'nonce',
  'expires',
  'other',
]);
export type TermsFactName = z.infer<typeof TermsFactName>;

/** A line of the terms as fields. */
export const TermsFact = z.strictObject({
  name: TermsFactName.describe('What the line states. New values may appear.'),
  label: z.string().nullable().describe('The words before the colon; null for a line without them.'),
  value: z.string().describe('The words after the colon, or the whole line.'),
  folded: z.boolean().describe('Whether a page that shows the price may hide it until it is asked for.'),
});
export type TermsFact = z.infer<typeof TermsFact>;

/** A checkout with its terms as facts too. */
export const CustomerCreated = CreateAnswer.extend({
  terms: TermsWire.extend({
    facts: z.array(TermsFact).describe('The lines of the message as fields, in their order.'),
  }).describe('What the wallet signs before the transaction.'),
});
export type CustomerCreated = z.infer<typeof CustomerCreated>;
