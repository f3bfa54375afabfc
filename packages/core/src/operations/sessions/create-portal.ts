import type * as z from 'zod';

import type { NewSession, PortalInput } from '../../contract/session.js';
import type { Project, Session, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { requireSubscription } from '../require.js';
import { newSessionWire } from './create-checkout.js';
import { openSession } from './open-session.js';
import { requireReturnUrls } from './page-addresses.js';
import { offerablePlanIds } from './require-offerable-plan.js';

/** Makes a portal of one customer (checkout-sessions#customer-of-a-session). */
export async function createPortal(
  service: Service,
  project: Project,
  input: z.output<typeof PortalInput>,
): Promise<NewSession> {
  requireCapability(service, 'SessionStore');
  const { return_url, locale, plans = [] } = input;
  requireReturnUrls(service, { return_url });
  const planIds = await offerablePlanIds(service, project, plans);
  const opened = await openSession(service, project, {
    kind: 'portal',
    ...(await customerOf(service, project, input)),
    planIds,
    askEmail: false,
    successUrl: null,
    backUrl: return_url ?? null,
    locale: locale ?? null,
    linkId: null,
    expiresIn: input.expires_in,
  });
  return newSessionWire(service, opened);
}

type SessionCustomer = Pick<Session, 'externalId' | 'email' | 'subscriptionId'>;

/** The customer whom the input names. */
async function customerOf(
  service: Service,
  project: Project,
  { external_id, email, subscription: id }: z.output<typeof PortalInput>,
): Promise<SessionCustomer> {
  if (id === undefined)
    return { externalId: external_id ?? null, email: email ?? null, subscriptionId: null };
  return customerOfSubscription((await requireSubscription(service, project, id)).subscription);
}

/**
 * The customer of a portal that is made for a subscription. One without an external id names nobody, because
 * whoever paid may have typed another's email: the portal reaches that subscription alone.
 */
function customerOfSubscription({
  id,
  externalId,
  email,
}: Pick<Subscription, 'id' | 'externalId' | 'email'>): SessionCustomer {
  return externalId === null
    ? { externalId: null, email: null, subscriptionId: id }
    : { externalId, email, subscriptionId: null };
}
