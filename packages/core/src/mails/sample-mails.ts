import type { MailKind } from '../contract/enums.js';
import { NO_MAIL_FACTS, type MailFacts } from '../records/index.js';
import type { MailContent } from './render-mail.js';

const PERIOD_START = new Date('2027-01-02T14:05:00.000Z');
const PERIOD_END = new Date('2027-02-01T14:05:00.000Z');
const NEXT_TRY = new Date('2027-02-02T14:05:00.000Z');
const LAST_TRY = new Date('2027-02-04T14:05:00.000Z');

const SHORT: Partial<MailFacts> = { reason: 'insufficient_balance', missing: 2_490_000n };

const FACTS: Readonly<Record<MailKind, Partial<MailFacts>>> = {
  receipt: {
    periodStart: PERIOD_START,
    periodEnd: PERIOD_END,
    signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    dueAt: PERIOD_END,
  },
  renewal_ahead: { dueAt: PERIOD_END },
  cannot_pay: { ...SHORT, dueAt: PERIOD_END },
  payment_failed: { ...SHORT, dueAt: NEXT_TRY, accessUntil: LAST_TRY, retriesLeft: 3 },
  last_try: { ...SHORT, dueAt: LAST_TRY, accessUntil: LAST_TRY, retriesLeft: 1 },
  stopped: SHORT,
  cancelled: { dueAt: PERIOD_END, accessUntil: PERIOD_END },
  ended: { reason: 'cancelled' },
  plan_ends: { dueAt: PERIOD_END, accessUntil: PERIOD_END },
};

/** The content of a mail of a kind, for a preview of it. The given facts replace those of the sample. */
export function sampleMail(kind: MailKind, facts: Partial<MailFacts> = {}): MailContent {
  return {
    mail: { kind, facts: { ...NO_MAIL_FACTS, amount: 9_990_000n, ...FACTS[kind], ...facts } },
    project: { name: 'Night Library', logoUrl: null },
    look: null,
    plan: { name: 'Reader', slug: 'reader', amount: 9_990_000n, decimals: 6, periodHours: 720 },
    symbol: 'USDC',
    wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    network: 'mainnet-beta',
    receipt: 'NIGHT-000042',
    actions: ['subscribe', 'close'],
    link: null,
    isTest: false,
    language: null,
  };
}
