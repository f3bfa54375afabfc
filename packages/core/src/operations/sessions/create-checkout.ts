import type * as z from 'zod';

import type { CheckoutInput, NewSession } from '../../contract/session.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { offerablePlanIds } from './require-offerable-plan.js';
import { openSession, type OpenedSession } from './open-session.js';
import { pageUrl, requireReturnUrls } from './page-addresses.js';

/** Makes a checkout of one plan to ten (checkout-sessions#plans-of-a-session). */
export async function createCheckout(
  service: Service,
  project: Project,
  input: z.output<typeof CheckoutInput>,
): Promise<NewSession> {
  requireCapability(service, 'SessionStore');
  const { plan, plans = [], external_id, email, success_url, cancel_url, locale } = input;
  requireReturnUrls(service, { success_url, cancel_url });
  const planIds = await offerablePlanIds(service, project, plan === undefined ? plans : [plan]);
  const opened = await openSession(service, project, {
    kind: 'checkout',
    externalId: external_id ?? null,
    email: email ?? null,
    subscriptionId: null,
    planIds,
    askEmail: input.ask_email,
    successUrl: success_url ?? null,
    backUrl: cancel_url ?? null,
    locale: locale ?? null,
    linkId: null,
    expiresIn: input.expires_in,
  });
  return newSessionWire(service, opened);
}

/** A new session with the address of its page. The secret is in the fragment, which no browser sends. */
export function newSessionWire(service: Service, { session, secret }: OpenedSession): NewSession {
  return {
    id: session.id,
    url: pageUrl(service, `/${session.kind}#${secret}`),
    expires_at: toWireDate(session.expiresAt),
  };
}
