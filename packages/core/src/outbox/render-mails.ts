import { atNow } from '../commits/subscription-context.js';
import type { MailKind, Network } from '../contract/enums.js';
import { renderMail, type RenderedMail } from '../mails/render-mail.js';
import { sampleMail } from '../mails/sample-mails.js';
import { readKnownTokens } from '../operations/plans/known-tokens.js';
import type { PaymentFilter } from '../ports/index.js';
import type {
  Attempt,
  Mail,
  MailSettings,
  Plan,
  Project,
  ProjectLook,
  Seller,
  Subscription,
} from '../records/index.js';
import { customerActions } from '../rules/customer-actions.js';
import { takesSubscribers } from '../rules/plan-on-chain.js';
import { receiptNumber } from '../rules/receipt-number.js';
import { tokenName } from '../rules/token-name.js';
import type { Service } from '../service.js';

const EVERY_PAYMENT: PaymentFilter = {
  ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null, since: null },
  ...{ until: null, mint: null, outcome: 'paid', reason: null, signature: null },
};

/** The number of the receipt of a sample. */
const SAMPLE_NUMBER = 42;

/** The records that a mail is about. */
export interface MailRecords {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly settings: MailSettings | null;
}

/**
 * Renders a mail as it is sent now.
 * @param portal the address to which its button leads, that of a receipt behind it; null in a preview
 */
export async function renderStored(
  service: Service,
  mail: Pick<Mail, 'kind' | 'facts'>,
  { project, plan, subscription, settings }: MailRecords,
  portal: string | null,
): Promise<RenderedMail> {
  const look = await lookOf(service, project);
  const { unit: symbol } = tokenName(plan, await readKnownTokens(service));
  const language = settings?.language ?? null;
  const { wallet } = subscription;
  const network = mail.facts.signature === null ? null : await explorerNetworkOf(service);
  const paid = mail.kind === 'receipt' ? await attemptOf(service, mail, subscription) : null;
  const receipt = paid && receiptNumber(paid);
  const link = portal === null || paid === null ? portal : `${portal}/${paid.id}`;
  const at = atNow(service, { project, plan });
  const canSubscribe = takesSubscribers(plan, service.chain.charger, at.now);
  const actions = customerActions(subscription, at, { canSubscribe, canChange: false });
  const facts = { mail, project, look, plan, symbol, wallet, network, receipt, actions };
  return renderMail({ ...facts, link, isTest: false, language });
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

/** Renders the sample of a kind as customers of the project would get it, or as a test with a link. */
export async function renderSample(
  service: Service,
  project: Project,
  kind: MailKind,
  { language, link = null }: { readonly language: string | null; readonly link?: string | null },
): Promise<RenderedMail> {
  const look = await lookOf(service, project);
  const { receiptPrefix = null } = (await sellerOf(service, project)) ?? {};
  const receipt = receiptNumber({ receiptNumber: SAMPLE_NUMBER, receiptPrefix });
  return renderMail({ ...sampleMail(kind), project, look, receipt, language, link, isTest: link !== null });
}

async function sellerOf({ store, lacks }: Service, { id }: Project): Promise<Seller | null> {
  return lacks.has('ReportStore') ? null : store.findSeller(id);
}

async function lookOf({ store, lacks }: Service, { id }: Project): Promise<ProjectLook | null> {
  return lacks.has('SessionStore') ? null : store.findProjectLook(id);
}

/** The hash of devnet's first block. A local chain counts as devnet too, and has another one. */
const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

/** The network whose explorer shows the payments of a service; null for a local chain, which none shows. */
async function explorerNetworkOf({ chain }: Service): Promise<Network | null> {
  if (chain.network !== 'devnet') return chain.network;
  const genesis = await chain.readGenesis();
  return genesis.ok && genesis.value.hash !== DEVNET_GENESIS ? null : 'devnet';
}
