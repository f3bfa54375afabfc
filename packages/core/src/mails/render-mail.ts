import type { CustomerAction } from '../contract/customer.js';
import type { Network } from '../contract/enums.js';
import type { Mail, Plan, Project, ProjectLook } from '../records/index.js';
import { fill } from './fill.js';
import { dateText, momentText, periodText, shortened, tokensText } from './formats.js';
import { inkOn } from './ink.js';
import type { MailLanguage, Told } from './language.js';
import { mailLanguage } from './languages.js';
import { LAYOUT } from './layout.js';
import { letterOf } from './letter.js';
import { oneLine, wrapped } from './plain-text.js';

/** What a mail is made of. */
export interface MailContent {
  readonly mail: Pick<Mail, 'kind' | 'facts'>;
  readonly project: Pick<Project, 'name' | 'logoUrl'>;
  /** The look of the project; null without one. */
  readonly look: Pick<ProjectLook, 'accent'> | null;
  readonly plan: Pick<Plan, 'name' | 'slug' | 'amount' | 'decimals' | 'periodHours'>;
  /** The unit of amounts; null for a token without a name that can be shown (plans#token-verification). */
  readonly symbol: string | null;
  readonly wallet: string;
  /** The network whose explorer shows the payment; null for a local chain, which none shows. */
  readonly network: Network | null;
  /** The number of the receipt; null for another kind, and where the store cannot find it. */
  readonly receipt: string | null;
  /** The actions that the portal offers. */
  readonly actions: readonly CustomerAction[];
  /** The address that the button opens; null in a preview. */
  readonly link: string | null;
  /** Whether it is sent to an operator, and no customer paid. */
  readonly isTest: boolean;
  /** The language, such as `de`; null for English. */
  readonly language: string | null;
}

/** A mail as it is read. */
export interface RenderedMail {
  /** One line of text. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A row of a receipt. */
interface Row {
  readonly label: string;
  readonly value: string;
  readonly url: string | null;
}

/** The colour of buttons where the project has none. */
const ACCENT = '#1f55c9';

/** What stands for the link in a preview. */
const NO_LINK = '#';

/**
 * Makes a mail readable, from nothing but its content (mails#kinds-of-mails). Names are shown as one line and
 * escaped, and a link that is neither https nor http is left out, as in a preview. Throws for a mail without
 * the date that its kind is about.
 */
export function renderMail(content: MailContent): RenderedMail {
  const { mail, project } = content;
  const language = mailLanguage(content.language);
  const told = toldOf(content, language);
  const subject = `${content.isTest ? 'Test: ' : ''}${language.subject[mail.kind](told)}`;
  const heading = language.heading[mail.kind];
  const { paragraphs: letter, action } = letterOf(mail, content.actions, told, language);
  const paragraphs = content.isTest ? [language.test, ...letter] : letter;
  const rows = mail.kind === 'receipt' ? receiptRows(content, told, language) : [];
  const button = language.actions[action];
  const link = /^https?:\/\//i.test(content.link ?? '') ? String(content.link) : NO_LINK;
  const footer = language.footer.map((sentence) => sentence(told));

  const accent = /^#[0-9a-f]{6}$/i.exec(content.look?.accent ?? '')?.[0] ?? ACCENT;
  const logo = /^https:\/\//i.test(project.logoUrl ?? '') ? project.logoUrl : null;
  return {
    subject,
    text: textOf([
      heading,
      ...paragraphs,
      ...(rows.length === 0 ? [] : [rowsText(rows)]),
      `${button}:\n${link}`,
      told.project,
      ...footer,
    ]),
    html: fill(LAYOUT, {
      locale: language.locale,
      subject,
      // Beside the subject, which says what happened, an inbox shows what is to be done.
      preheader: paragraphs.slice(1).join(' '),
      logo: logo === null ? [] : [{ url: logo, project: told.project }],
      name: logo === null ? [{ project: told.project }] : [],
      heading,
      paragraphs: paragraphs.map((paragraph) => ({ paragraph })),
      table: rows.length === 0 ? [] : [{ rows: rows.map(rowFilling) }],
      link,
      accent,
      ink: inkOn(accent),
      action: button,
      footer: footer.map((line) => ({ line })),
    }),
  };
}

function toldOf({ mail: { facts }, ...content }: MailContent, language: MailLanguage): Told {
  const token = { decimals: content.plan.decimals, symbol: content.symbol };
  const date = (at: Date | null) => (at === null ? '' : momentText(at, language));
  return {
    project: oneLine(content.project.name),
    plan: oneLine(content.plan.name) || content.plan.slug,
    wallet: shortened(content.wallet),
    amount: tokensText(facts.amount ?? content.plan.amount, token, language),
    missing: facts.missing === null ? null : tokensText(facts.missing, token, language),
    code: facts.reason === null ? null : oneLine(facts.reason),
    tries: facts.retriesLeft,
    due: date(facts.dueAt),
    access: date(facts.accessUntil),
  };
}

function receiptRows(
  { mail: { facts }, plan, network, receipt }: MailContent,
  told: Told,
  language: MailLanguage,
): readonly Row[] {
  const { rows, span, none } = language;
  const row = (label: string, value: string, url: string | null = null): Row => ({ label, value, url });
  const { periodStart, periodEnd, signature } = facts;
  return [
    ...(receipt === null ? [] : [row(rows.number, receipt)]),
    row(rows.plan, `${told.plan}, ${periodText(plan.periodHours, language)}`),
    ...(periodStart === null || periodEnd === null
      ? []
      : [row(rows.period, span(dateText(periodStart, language), momentText(periodEnd, language)))]),
    row(rows.amount, told.amount),
    row(rows.wallet, told.wallet),
    ...(signature === null
      ? []
      : [row(rows.transaction, shortened(signature), explorerOf(signature, network))]),
    ...(facts.dueAt === null && facts.reason === null
      ? []
      : [row(rows.next, facts.dueAt === null ? none : told.due)]),
  ];
}

/** The page of a transaction in an explorer; null on a chain that none shows. */
function explorerOf(signature: string, network: Network | null): string | null {
  if (network === null) return null;
  const cluster = network === 'devnet' ? '?cluster=devnet' : '';
  return `https://explorer.solana.com/tx/${encodeURIComponent(signature)}${cluster}`;
}

function rowFilling({ label, value, url }: Row) {
  return {
    label,
    text: url === null ? [{ value }] : [],
    link: url === null ? [] : [{ value, url }],
  };
}

function rowsText(rows: readonly Row[]): string {
  return rows
    .map(({ label, value, url }) => `${label}: ${value}${url === null ? '' : `\n${url}`}`)
    .join('\n');
}

/** Paragraphs as plain text. Their lines that are lines already stay so. */
function textOf(paragraphs: readonly string[]): string {
  return `${paragraphs.map((text) => text.split('\n').map(wrapped).join('\n')).join('\n\n')}\n`;
}
