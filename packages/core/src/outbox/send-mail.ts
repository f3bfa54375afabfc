import { memoized } from '../commits/commit-changes.js';
import { newId, type Mail, type MailId, type PlanId, type ProjectId } from '../records/index.js';
import { newSessionWire } from '../operations/sessions/create-checkout.js';
import { pageUrl } from '../operations/sessions/page-addresses.js';
import { openSession } from '../operations/sessions/open-session.js';
import type { Mailer, MailOutcome } from '../ports/index.js';
import type { Service } from '../service.js';
import type { RenderedMail } from '../mails/render-mail.js';
import { renderSample, renderStored, type MailRecords } from './render-mails.js';

/** The days for which the link of a mail opens the portal (mails#link-of-a-mail). */
const LINK_DAYS = 30;

/** The parts of a service that send mails. */
export interface MailSender {
  readonly mailer: Mailer;
  readonly from: string;
}

/** The sender of a service; null when it sends no mails. */
export function senderOf({ mailer, settings: { mailFrom } }: Service): MailSender | null {
  return mailer === null || mailFrom === null ? null : { mailer, from: mailFrom };
}

/** Makes one try of a mail, with a link of its own. Rejects when the store fails. */
export async function sendMail(
  service: Service,
  sender: MailSender,
  mail: Pick<Mail, 'id' | 'kind' | 'facts' | 'email'>,
  records: MailRecords,
): Promise<MailOutcome> {
  const { project, subscription, settings } = records;
  const opened = await openSession(service, project, {
    kind: 'portal',
    ...{ externalId: null, email: mail.email, subscriptionId: subscription.id },
    planIds: [],
    askEmail: false,
    successUrl: null,
    backUrl: null,
    locale: settings?.language ?? null,
    linkId: null,
    expiresIn: LINK_DAYS * 24 * 3_600,
  });
  const read = await renderStored(service, mail, records, newSessionWire(service, opened).url);
  return send(sender, { id: mail.id, to: mail.email, project, settings, read });
}

/** Sends the sample of a receipt to an address of the operator. Nothing of it is stored. */
export async function sendSample(
  service: Service,
  sender: MailSender,
  { project, settings, to }: Pick<MailRecords, 'project' | 'settings'> & { readonly to: string },
): Promise<MailOutcome> {
  const language = settings?.language ?? null;
  const read = await renderSample(service, project, 'receipt', {
    language,
    link: pageUrl(service, '/portal'),
  });
  return send(sender, { id: newId(service.random, 'eml'), to, project, settings, read });
}

interface Letter extends Pick<MailRecords, 'project' | 'settings'> {
  readonly id: MailId;
  readonly to: string;
  readonly read: RenderedMail;
}

function send(
  { mailer, from }: MailSender,
  { id, to, project, settings, read }: Letter,
): Promise<MailOutcome> {
  return mailer.send({
    id: `${id}@${domainOf(from)}`,
    from: { name: project.name, address: from },
    to,
    replyTo: settings?.replyTo ?? null,
    ...read,
  });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Reads the records of mails, each project and plan once. Null when one of them cannot be found. */
export function createMailRecords({ store }: Service) {
  const projectOf = memoized((id: ProjectId) => store.findProject(id));
  const settingsOf = memoized((id: ProjectId) => store.findMailSettings(id));
  const planOf = memoized((id: PlanId) => store.findPlan(id));
  return async ({
    projectId,
    subscriptionId,
  }: Pick<Mail, 'projectId' | 'subscriptionId'>): Promise<MailRecords | null> => {
    const project = await projectOf(projectId);
    const settings = await settingsOf(projectId);
    const subscription = await store.findSubscription(projectId, subscriptionId);
    const plan = subscription === null ? null : await planOf(subscription.planId);
    if (project === null || subscription === null || plan === null) return null;
    return { project, plan, subscription, settings };
  };
}
