import { renderMail, type RenderedMail } from '../mails/render-mail.js';
import { readKnownTokens } from '../operations/plans/known-tokens.js';
import type { Mail, MailSettings, Plan, Project, Subscription } from '../records/index.js';
import { tokenName } from '../rules/token-name.js';
import type { Service } from '../service.js';

/** The records that a mail is about. */
export interface MailRecords {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly settings: MailSettings | null;
}

/**
 * Renders a mail as it is sent now.
 * @param link where its button leads; null in a preview
 * @param receipt the number of the receipt that it is about; null for none
 */
export async function letterOf(
  service: Service,
  mail: Pick<Mail, 'kind' | 'facts'>,
  { project, plan, subscription, settings }: MailRecords,
  link: string | null,
  receipt: string | null = null,
): Promise<RenderedMail> {
  const look = await service.store.findProjectLook(project.id);
  const { unit: symbol } = tokenName(plan, await readKnownTokens(service));
  const language = settings?.language ?? null;
  const { wallet } = subscription;
  const { network } = service.chain;
  return renderMail({ mail, project, look, plan, symbol, wallet, network, receipt, link, language });
}
