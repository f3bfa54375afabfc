import { memoized } from '../commits/commit-changes.js';
import type { Attempt, Mail, PlanId, ProjectId, Subscription } from '../records/index.js';
import { newSessionWire } from '../operations/sessions/create-checkout.js';
import { customerOfSubscription } from '../operations/sessions/create-portal.js';
import { openSession } from '../operations/sessions/open-session.js';
import type { Mailer, MailOutcome, PaymentFilter } from '../ports/index.js';
import { receiptNumber } from '../rules/receipt-number.js';
import type { Service } from '../service.js';
import { letterOf, type MailRecords } from './letter-of.js';

/** The days for which the link of a mail opens the portal (mails#link-of-a-mail). */
const LINK_DAYS = 30;

const EVERY_PAYMENT: PaymentFilter = {
  ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null, since: null },
  ...{ until: null, mint: null, outcome: 'paid', reason: null, signature: null },
};

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
  { mailer, from }: MailSender,
  mail: Pick<Mail, 'id' | 'kind' | 'facts' | 'email'>,
  records: MailRecords,
): Promise<MailOutcome> {
  const { project, subscription, settings } = records;
  const opened = await openSession(service, project, {
    kind: 'portal',
    ...customerOfSubscription(subscription),
    planIds: [],
    askEmail: false,
    successUrl: null,
    backUrl: null,
    locale: settings?.language ?? null,
    linkId: null,
    expiresIn: LINK_DAYS * 24 * 3_600,
  });
  const { url } = newSessionWire(service, opened);
  const paid = mail.kind === 'receipt' ? await attemptOf(service, mail, subscription) : null;
  const letter = await letterOf(
    service,
    mail,
    records,
    paid === null ? url : `${url}/${paid.id}`,
    paid && receiptNumber(paid),
  );
  return mailer.send({
    id: `${mail.id}@${domainOf(from)}`,
    from: { name: project.name, address: from },
    to: mail.email,
    replyTo: settings?.replyTo ?? null,
    ...letter,
  });
}

/** The payment that a receipt is about; null for a store that cannot find it. */
async function attemptOf(
  { store, lacks }: Service,
  { facts: { signature } }: Pick<Mail, 'facts'>,
  { projectId, id }: Subscription,
): Promise<Attempt | null> {
  if (signature === null || lacks.has('ReportStore')) return null;
  const filter = { ...EVERY_PAYMENT, id, signature };
  const page = await store.searchPayments(projectId, filter, { limit: 1, startingAfter: null });
  return page === 'unknown_cursor' ? null : (page.found[0]?.attempt ?? null);
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
