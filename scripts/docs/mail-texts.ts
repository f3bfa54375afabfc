import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMail } from '../../packages/core/src/mails/render-mail.js';
import type { MailKind } from '../../packages/core/src/contract/enums.js';
import type { MailFacts } from '../../packages/core/src/records/index.js';
import { ROOT } from '../tasks/repository.mjs';

const at = (date: string) => new Date(`2026-${date}T09:00:00.000Z`);

const FACTS: MailFacts = {
  amount: 9_990_000n,
  missing: null,
  periodStart: at('10-01'),
  periodEnd: at('10-31'),
  signature: '5Uo8iWmcvFcpLHn4BCnq2mEqVX6vP9RmmFnKVNzqyyTLv2mG4s7QYqkD3sSgVc9Qk8uCzZcXdkQq1ztGkq9yYk7V',
  reason: null,
  dueAt: at('10-31'),
  accessUntil: at('10-31'),
  retriesLeft: null,
  byHand: false,
};

const FAILED = { missing: 2_490_000n, reason: 'insufficient_balance', accessUntil: at('11-03') };

/** An example of each kind, in the order in which a customer may get them. */
const EXAMPLES: Readonly<Record<MailKind, Partial<MailFacts>>> = {
  receipt: {},
  renewal_ahead: {},
  cannot_pay: { ...FAILED, accessUntil: at('10-31') },
  payment_failed: { ...FAILED, dueAt: at('11-01'), retriesLeft: 3 },
  last_try: { ...FAILED, dueAt: at('11-03'), retriesLeft: 1 },
  stopped: { reason: 'out_of_retries', dueAt: null, accessUntil: null },
  cancelled: {},
  ended: { reason: 'cancelled', dueAt: null, accessUntil: null },
  plan_ends: {},
};

function example(kind: MailKind, facts: Partial<MailFacts>): string {
  const { subject, text } = renderMail({
    mail: { kind, facts: { ...FACTS, ...facts } },
    project: { name: 'Night Library', logoUrl: null },
    look: null,
    plan: { name: 'Reader', slug: 'reader', amount: 9_990_000n, decimals: 6, periodHours: 720 },
    symbol: 'USDC',
    wallet: '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj',
    network: 'mainnet-beta',
    link: 'https://pay.example/portal#chs_…',
    language: null,
  });
  return `### ${kind}\n\n\`\`\`text\nSubject: ${subject}\n\n${text}\`\`\`\n`;
}

/** The page of mails, with the text of each kind as it is sent. */
export function mailPage(): string {
  const page = readFileSync(join(ROOT, 'docs/mail.md'), 'utf8');
  const texts = Object.entries(EXAMPLES).map(([kind, facts]) => example(kind as MailKind, facts));
  return page.replace(
    /(## What each mail says\n).*?(?=\n## )/s,
    (_, head: string) => `${head}\n${texts.join('\n')}`,
  );
}
