import type { MailKind } from '../contract/enums.js';

/** Why a wallet could not pay, or cannot. */
export type MailCause =
  | 'balance'
  /** Too little is held, or too little is approved: the chain does not say which. */
  | 'balance_or_approval'
  | 'approval'
  | 'authority'
  | 'frozen'
  | 'reassigned'
  | 'too_late'
  | 'other';

/** The causes that money in the wallet mends, as far as is known. */
export type MoneyCause = 'balance' | 'too_late' | 'other';

/** The end of a subscription, as a customer sees it. */
export type MailEnd = 'cancelled' | 'plan_ended' | 'plan_gone';

/** What the button of a mail leads to in the portal. */
export type MailAction = 'pay' | 'receipt' | 'subscribe' | 'resume' | 'show';

/** What the sentences of a mail name, as people of the language read it. */
export interface Told {
  readonly project: string;
  readonly plan: string;
  readonly wallet: string;
  /** The price, or what was paid. */
  readonly amount: string;
  /** What the wallet lacks; null when that is not known. */
  readonly missing: string | null;
  /** The code of a cause that has no sentence; null for none. */
  readonly code: string | null;
  /** The tries that are left, the next one included; null when they are not counted. */
  readonly tries: number | null;
  /** The date of the kind. Only the sentences of a mail that has one name it. */
  readonly due: string;
  /** Until when access lasts. Only the sentences of a mail with access name it. */
  readonly access: string;
}

type Sentence = (told: Told) => string;

/** A language of mails: every sentence of them, with their money, periods and dates. */
export interface MailLanguage {
  readonly locale: string;
  readonly months: readonly string[];
  readonly day: (day: number, month: string, year: number) => string;
  readonly marks: { readonly decimal: string; readonly group: string };
  /** The unit of a token without a name that can be shown. */
  readonly tokens: string;
  /** A period, such as `every 30 days`. */
  readonly every: (count: number, unit: 'day' | 'hour') => string;

  readonly subject: Readonly<Record<MailKind, Sentence>>;
  readonly heading: Readonly<Record<MailKind, string>>;
  readonly actions: Readonly<Record<MailAction, string>>;
  readonly footer: readonly Sentence[];
  /** What a test mail says first. */
  readonly test: string;

  /** The causes of a charge that failed or will, of a stop too. */
  readonly causes: Readonly<Record<MailCause, Sentence>>;
  /** What mends a cause that money does not mend, before a charge and after it. */
  readonly remedies: Readonly<Record<Exclude<MailCause, MoneyCause>, Sentence>>;
  /** Until when access lasts, and that it has ended until the payment. */
  readonly access: Sentence;
  readonly noAccess: string;
  readonly nothingToDo: string;

  /** The rows of a receipt. */
  readonly rows: Readonly<
    Record<'number' | 'plan' | 'period' | 'amount' | 'wallet' | 'transaction' | 'next', string>
  >;
  readonly span: (from: string, to: string) => string;
  readonly none: string;

  readonly paid: Sentence;
  readonly nextCharge: Sentence;
  readonly noNextCharge: string;

  readonly renews: Sentence;
  readonly keepAmount: Sentence;

  /** A charge that the wallet cannot pay: when it is, what to do before it, and what happens otherwise. */
  readonly willCharge: Sentence;
  readonly addBefore: Sentence;
  readonly willFail: Sentence;

  /** A charge that failed: what to do, and which tries follow. */
  readonly failed: Sentence;
  /** It may be paid by now, if only somebody asked for it. */
  readonly unpaid: Sentence;
  readonly addAndPay: Sentence;
  readonly nextTry: Sentence;
  readonly lastTry: Sentence;
  readonly payBy: Sentence;
  readonly noNextTry: string;
  readonly noTryLeft: Sentence;

  /** What a stop means, and how to subscribe again. */
  readonly stopped: string;
  readonly takesNobody: Sentence;
  readonly comeBack: Readonly<Record<'money' | 'approval' | 'authority' | 'wallet', Sentence>>;

  readonly cancelled: Sentence;
  readonly lostAtOnce: string;
  readonly resumeBefore: Sentence;
  readonly notResumed: string;

  readonly ends: Readonly<Record<MailEnd, Sentence>>;
  readonly closeThenSubscribe: string;
  readonly subscribeAgain: string;
  readonly closeForDeposit: string;

  readonly planEnds: Sentence;
  readonly closeAfterEnd: string;
}
