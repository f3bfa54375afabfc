import * as z from 'zod';

import { emailInput, externalIdInput, lineInput, slugInput, subscriptionIdInput } from './inputs.js';
import { fields, optionalInBody } from './requests.js';
import { isoDate } from './scalars.js';
import { SubscriptionWire } from './subscription.js';

const MOST_PLANS = 10;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** An address to which a page leads. Whether the network allows `http` is checked by the operation. */
const returnUrl = optionalInBody(
  lineInput(1, 512).refine(isReturnUrl, {
    error: 'must be an https address without a user name and a password',
  }),
);

function isReturnUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}

const localeInput = optionalInBody(
  z.string({ error: 'must be a language, such as en' }).regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/, {
    error: 'must be a language, such as en or pt-BR',
  }),
).describe("The language of the page, such as en; that of the customer's browser when absent.");

/** The most seconds for which a session lasts: a week (checkout-sessions#time-of-a-session). */
const MOST_SECONDS = 604_800;
const outOfRange = { error: `must be 300 to ${MOST_SECONDS}` };

const expiresIn = optionalInBody(
  z.int({ error: 'must be a whole number of seconds' }).min(300, outOfRange).max(MOST_SECONDS, outOfRange),
).describe(`For how many seconds it lasts, 300 to ${MOST_SECONDS}.`);

const askEmail = z
  .boolean({ error: 'must be true or false' })
  .nullish()
  .transform((value) => value ?? false);

const planSlugs = z
  .array(slugInput)
  .min(1)
  .max(MOST_PLANS, { error: `must name at most ${MOST_PLANS} plans` });

/** A new checkout: the plans that it offers, and who the customer is. */
export const CheckoutInput = fields({
  plan: optionalInBody(slugInput).describe('The slug of the plan. Name one plan here, or several in plans.'),
  plans: optionalInBody(planSlugs).describe('The slugs of the plans among which the customer chooses.'),
  external_id: optionalInBody(externalIdInput).describe('Your own id of the customer.'),
  email: optionalInBody(emailInput).describe(
    "Where the customer's notices go. Without an external id it is who the customer is: name an email that you verified.",
  ),
  ask_email: askEmail.describe(
    'Whether the page asks a customer without an email for one; false when absent.',
  ),
  success_url: returnUrl.describe('Where the page goes after the payment, with checkout=<id> in the query.'),
  cancel_url: returnUrl.describe('Where the page leads back to.'),
  locale: localeInput,
  expires_in: expiresIn,
})
  .refine(({ plan, plans }) => (plan === undefined) !== (plans === undefined), {
    error: 'must name its plans by exactly one of plan and plans',
  })
  .meta({ example: { plan: 'pro', external_id: 'customer-42', success_url: 'https://shop.example/thanks' } });
export type CheckoutInput = z.input<typeof CheckoutInput>;

/** A new portal: which customer it is for. */
export const PortalInput = fields({
  external_id: optionalInBody(externalIdInput).describe('The customer, by your own id.'),
  email: optionalInBody(emailInput).describe('The customer, by an email that you verified.'),
  subscription: optionalInBody(subscriptionIdInput).describe('A subscription of the customer, by its id.'),
  plans: optionalInBody(planSlugs).describe(
    'The slugs of the plans to which the customer can change, or subscribe, besides the own ones.',
  ),
  return_url: returnUrl.describe('Where the page leads back to.'),
  locale: localeInput,
  expires_in: expiresIn,
})
  .refine(
    ({ external_id, email, subscription }) =>
      [external_id, email, subscription].filter((name) => name !== undefined).length === 1,
    { error: 'must name the customer by exactly one of external_id, email and subscription' },
  )
  .meta({ example: { external_id: 'customer-42', return_url: 'https://shop.example/account' } });
export type PortalInput = z.input<typeof PortalInput>;

/** A session that was made: the address to which the customer goes. Its secret is in no later answer. */
export const NewSession = z.strictObject({
  id: z.string().describe('Its id: chk_ of a checkout or prt_ of a portal, and 24 letters or digits.'),
  url: z.string().describe('The address of the page, with the secret. Send the customer there.'),
  expires_at: isoDate.describe('Until when the page can be used.'),
});
export type NewSession = z.infer<typeof NewSession>;

/** The states of a checkout. */
export const CheckoutState = z.enum(['open', 'complete', 'expired']);
export type CheckoutState = z.infer<typeof CheckoutState>;

/** A checkout as the project's server sees it. */
export const CheckoutWire = z.strictObject({
  id: z.string().describe('Its id, chk_ and 24 letters or digits.'),
  state: CheckoutState.describe('complete once a subscription that it submitted is confirmed.'),
  plans: z.array(z.string()).describe('The slugs of the plans that it offers.'),
  external_id: z.string().nullable().describe('Your own id of the customer; null when you gave none.'),
  email: z.string().nullable().describe('The email that you gave; null when you gave none.'),
  subscription: SubscriptionWire.nullable().describe(
    'The subscription that is confirmed, else the one that was submitted last; null without one.',
  ),
  link: z.string().nullable().describe('The id of the plan link that opened it; null without one.'),
  created_at: isoDate.describe('When it was made.'),
  expires_at: isoDate.describe('Until when it can be paid.'),
});
export type CheckoutWire = z.infer<typeof CheckoutWire>;

/** A new plan link. */
export const LinkInput = fields({
  plan: slugInput.describe('The slug of the plan.'),
  replaces: optionalInBody(slugInput).describe(
    'The slug of another plan: each wallet then changes from its running subscription to that one.',
  ),
  ask_email: askEmail.describe('Whether the page asks the customer for an email; false when absent.'),
  success_url: returnUrl.describe('Where the page goes after the payment, with checkout=<id> in the query.'),
}).meta({ example: { plan: 'pro', ask_email: true } });
export type LinkInput = z.input<typeof LinkInput>;

/** A plan link. */
export const LinkWire = z.strictObject({
  id: z.string().describe('Its id, lnk_ and 24 letters or digits.'),
  url: z.string().describe('The address to give to customers.'),
  plan: z.string().describe('The slug of the plan.'),
  replaces: z
    .string()
    .nullable()
    .describe('The slug of the plan from which its customers change; null when they subscribe.'),
  ask_email: z.boolean().describe('Whether the page asks the customer for an email.'),
  success_url: z.string().nullable().describe('Where the page goes after the payment; null to stay.'),
  created_at: isoDate.describe('When it was made.'),
  ended_at: isoDate.nullable().describe('When it was ended; null while it opens checkouts.'),
});
export type LinkWire = z.infer<typeof LinkWire>;

/** Every link of a project. */
export const LinkList = z.strictObject({
  links: z.array(LinkWire).describe('Every link of the project, newest first.'),
});
export type LinkList = z.infer<typeof LinkList>;
