import {
  CheckoutInput,
  CheckoutWire,
  LinkInput,
  LinkList,
  LinkWire,
  NewSession,
  PortalInput,
} from '../../contract/session.js';
import { operation } from '../operation.js';
import { createCheckout } from './create-checkout.js';
import { createPortal } from './create-portal.js';
import { createLink, endLink, listLinks } from './links.js';
import { retrieveCheckout } from './read-checkout.js';

/** The codes of plans that nobody can be offered. */
const NOT_OFFERED = ['plan_not_found', 'plan_not_on_chain', 'plan_ended', 'plan_sunset'] as const;

export const checkoutsOperations = {
  /**
   * Makes a checkout: a page on which one customer subscribes. Send the customer to `url`, which only this
   * answer has. Name the customer by `external_id`, by `email` or by both; without either the payer is the
   * customer. An `email` alone opens all that this customer has, so name one that you verified, and let the
   * page ask for any other with `ask_email`. The checkout lasts 24 hours, or `expires_in` seconds.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found`, `plan_not_on_chain`, `plan_ended` or
   * `plan_sunset`.
   *
   * @example
   * const { id, url } = await shop.checkouts.create({
   *   plan: 'pro',
   *   external_id: 'customer-42',
   *   success_url: 'https://shop.example/thanks',
   * });
   * // Redirect the customer to `url`. The page goes to success_url with `checkout=<id>` afterwards.
   */
  create: operation<(input: CheckoutInput) => Promise<NewSession>>()({
    method: 'POST',
    path: '/checkout/v1/sessions',
    input: CheckoutInput,
    output: NewSession,
    status: 201,
    errors: NOT_OFFERED,
    summary: 'Makes a checkout: a page on which one customer subscribes. The answer alone has its address.',
    run: ({ service, project, input }) => createCheckout(service, project, input),
  }),
  /**
   * Reads a checkout, for the server to which its customer comes back. `state` is `complete` once it is paid;
   * grant access by `subscription`, once for each, or by `access.check`. Refuses with `not_found` or
   * `session_not_found`.
   *
   * @example
   * const checkoutId = new URL(request.url).searchParams.get('checkout') ?? '';
   * const { state, subscription } = await shop.checkouts.retrieve(checkoutId);
   * if (state === 'complete') console.log(subscription?.external_id, subscription?.access_until);
   */
  retrieve: operation<(id: string) => Promise<CheckoutWire>>()({
    method: 'GET',
    path: '/checkout/v1/sessions/{id}',
    output: CheckoutWire,
    notFound: 'session_not_found',
    summary: 'A checkout: its state, and the subscription that came of it.',
    run: ({ service, project, id }) => retrieveCheckout(service, project, id),
  }),
};

export const portalOperations = {
  /**
   * Makes a portal: a page on which one customer sees and manages what he is subscribed to in the project.
   * Send the customer to `url`, which only this answer has. Name the customer by exactly one of
   * `external_id`, `email`, which you verified, and `subscription`, which is shown alone when it has no
   * external id. The portal lasts an hour, or `expires_in` seconds.
   *
   * Refuses with `not_found`, `invalid_request` or `subscription_not_found`.
   *
   * @example
   * const { url } = await shop.portal.create({
   *   external_id: 'customer-42',
   *   return_url: 'https://shop.example/account',
   * });
   */
  create: operation<(input: PortalInput) => Promise<NewSession>>()({
    method: 'POST',
    path: '/portal/v1/sessions',
    input: PortalInput,
    output: NewSession,
    status: 201,
    errors: ['subscription_not_found'],
    summary:
      'Makes a portal: a page on which one customer manages what he is subscribed to. The answer alone has its address.',
    run: ({ service, project, input }) => createPortal(service, project, input),
  }),
};

export const linksOperations = {
  /**
   * Makes a plan link: a permanent address that opens a new checkout of the plan for each visitor. Put it
   * on a page, into a mail or behind a QR code. With `ask_email` its page asks for an email.
   *
   * Refuses with `not_found`, `invalid_request`, `plan_not_found`, `plan_not_on_chain`, `plan_ended` or
   * `plan_sunset`.
   *
   * @example
   * const { url } = await shop.links.create({ plan: 'pro', ask_email: true });
   */
  create: operation<(input: LinkInput) => Promise<LinkWire>>()({
    method: 'POST',
    path: '/checkout/v1/links',
    input: LinkInput,
    output: LinkWire,
    status: 201,
    errors: NOT_OFFERED,
    summary: 'Makes a plan link: a permanent address that opens a new checkout for each visit.',
    run: ({ service, project, input }) => createLink(service, project, input),
  }),
  /**
   * Lists every plan link of the project, newest first, ended ones too. Refuses with `not_found`.
   *
   * @example
   * const open = (await shop.links.list()).links.filter(({ ended_at }) => ended_at === null);
   */
  list: operation<() => Promise<LinkList>>()({
    method: 'GET',
    path: '/checkout/v1/links',
    output: LinkList,
    summary: 'Every plan link, newest first, ended ones too.',
    run: ({ service, project }) => listLinks(service, project),
  }),
  /**
   * Ends a plan link: no visit opens a checkout any more, and opened checkouts go on. A link that was ended
   * stays as it is. Refuses with `not_found` or `link_not_found`.
   *
   * @example
   * const [newest] = (await shop.links.list()).links;
   * if (newest !== undefined) await shop.links.end(newest.id);
   */
  end: operation<(id: string) => Promise<LinkWire>>()({
    method: 'POST',
    path: '/checkout/v1/links/{id}/end',
    output: LinkWire,
    notFound: 'link_not_found',
    summary: 'Ends a plan link: it opens no checkout any more. Those that it opened go on.',
    run: ({ service, project, id }) => endLink(service, project, id),
  }),
};
