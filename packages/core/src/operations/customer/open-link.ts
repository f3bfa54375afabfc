import type { OpenedLink } from '../../contract/customer.js';
import { ServiceError } from '../../contract/errors.js';
import type { LinkId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireProject } from '../require.js';
import { openSession } from '../sessions/open-session.js';
import { callerOfSession } from './caller.js';
import { describeSession } from './view.js';

/** Opens a new checkout of a link's plan, with nobody named (checkout-sessions#plan-links). */
export async function openLink(service: Service, id: string): Promise<OpenedLink> {
  const link = await service.store.findLink(id as LinkId);
  if (link === null) throw new ServiceError('link_not_found');
  if (link.endedAt !== null) throw new ServiceError('link_ended');
  const project = await requireProject(service, link.projectId);
  const { session, secret } = await openSession(service, project, {
    kind: 'checkout',
    externalId: null,
    email: null,
    subscriptionId: null,
    planIds: [link.planId],
    askEmail: link.askEmail,
    successUrl: link.successUrl,
    backUrl: null,
    locale: null,
    linkId: link.id,
    expiresIn: undefined,
  });
  return { secret, session: await describeSession(service, callerOfSession(project, session)) };
}
