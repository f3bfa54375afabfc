import type { MailKind } from '../contract/enums.js';
import type { CustomerAction } from '../contract/customer.js';
import type { Mail, MailFacts } from '../records/index.js';
import { closesAuthority } from '../rules/attempt-reasons.js';
import type { MailAction, MailCause, MailEnd, MailLanguage, MoneyCause, Told } from './language.js';

/** What a mail says below its heading, and where its button leads. */
export interface Letter {
  readonly paragraphs: readonly string[];
  readonly action: MailAction;
}

/** The kinds that are about a date. */
const DATED: readonly MailKind[] = ['renewal_ahead', 'cannot_pay', 'last_try', 'plan_ends'];

/** Composes a mail of a kind. Throws for one without the date that it is about. */
export function letterOf(
  { kind, facts }: Pick<Mail, 'kind' | 'facts'>,
  actions: readonly CustomerAction[],
  told: Told,
  language: MailLanguage,
): Letter {
  if (DATED.includes(kind) && facts.dueAt === null)
    throw new TypeError(`A mail of the kind ${kind} has no date: its fact dueAt is null.`);
  switch (kind) {
    case 'receipt': {
      const next =
        facts.dueAt === null
          ? facts.reason === null
            ? []
            : [language.noNextCharge]
          : [language.nextCharge(told)];
      return { paragraphs: [language.paid(told), ...next], action: 'receipt' };
    }
    case 'renewal_ahead':
      return { paragraphs: [language.renews(told), language.keepAmount(told)], action: 'show' };
    case 'cannot_pay': {
      const cause = causeOf(facts.reason);
      return {
        paragraphs: [
          `${language.willCharge(told)} ${language.causes[cause](told)}`,
          isMoney(cause) ? language.addBefore(told) : language.remedies[cause](told),
          language.willFail(told),
        ],
        action: 'show',
      };
    }
    case 'payment_failed':
    case 'last_try': {
      const cause = causeOf(facts.reason);
      const lead = facts.reason === null ? language.unpaid(told) : leadOf(cause, told, language);
      const remedy = isMoney(cause) ? language.addAndPay(told) : language.remedies[cause](told);
      const access = facts.accessUntil === null ? language.noAccess : language.access(told);
      if (isOver(facts))
        return {
          paragraphs: [lead, facts.dueAt === null ? language.noNextTry : language.noTryLeft(told)],
          action: 'show',
        };
      return {
        paragraphs: [lead, remedy, `${nextTry(kind, facts, told, language)} ${access}`],
        action: isMoney(cause) ? 'pay' : 'show',
      };
    }
    case 'stopped': {
      const cause = causeOf(facts.reason);
      const lead = `${leadOf(cause, told, language)} ${language.stopped}`;
      return actions.includes('subscribe')
        ? {
            paragraphs: [lead, `${language.comeBack[COME_BACK[cause]](told)} ${language.nothingToDo}`],
            action: 'subscribe',
          }
        : { paragraphs: [lead, language.takesNobody(told)], action: 'show' };
    }
    case 'cancelled': {
      // What was cancelled while behind has no access, and cannot be resumed.
      const isLost = facts.accessUntil === null;
      const access = isLost ? language.lostAtOnce : language.access(told);
      const isResumable = !isLost && facts.dueAt !== null;
      return {
        paragraphs: [
          `${language.cancelled(told)} ${access}`,
          isResumable ? language.resumeBefore(told) : language.notResumed,
        ],
        action: isResumable ? 'resume' : 'show',
      };
    }
    case 'ended': {
      const lead = language.ends[endOf(facts.reason)](told);
      const next = afterEnd(actions, language);
      return {
        paragraphs: next === null ? [lead] : [lead, `${next} ${language.nothingToDo}`],
        action: actions.includes('subscribe') ? 'subscribe' : 'show',
      };
    }
    case 'plan_ends': {
      const access = facts.accessUntil === null ? [] : [language.access(told)];
      return {
        paragraphs: [[language.planEnds(told), ...access].join(' '), language.closeAfterEnd],
        action: 'show',
      };
    }
  }
}

/** The causes of reasons with a sentence: those of attempts, of late payments and of stops. */
const CAUSES: ReadonlyMap<string, MailCause> = new Map([
  ['insufficient_balance', 'balance'],
  ['program_1', 'balance_or_approval'],
  ['program_4', 'approval'],
  ['token_account_frozen', 'frozen'],
  ['token_account_reassigned', 'reassigned'],
  ['retry_deadline_passed', 'too_late'],
]);

function causeOf(reason: string | null): MailCause {
  if (reason === null) return 'other';
  return closesAuthority(reason) ? 'authority' : (CAUSES.get(reason) ?? 'other');
}

function isMoney(cause: MailCause): cause is MoneyCause {
  return cause === 'balance' || cause === 'too_late' || cause === 'other';
}

const COME_BACK: Readonly<Record<MailCause, keyof MailLanguage['comeBack']>> = {
  balance: 'money',
  balance_or_approval: 'approval',
  approval: 'approval',
  authority: 'authority',
  frozen: 'wallet',
  reassigned: 'wallet',
  too_late: 'money',
  other: 'money',
};

/** What failed, and why. */
function leadOf(cause: MailCause, told: Told, { failed, causes }: MailLanguage): string {
  const sentence = causes[cause](told);
  return cause === 'too_late' ? sentence : `${failed(told)} ${sentence}`;
}

/** Whether the customer can do nothing more for the payment, and nothing is tried on its own. */
const isOver = ({ byHand, retriesLeft, dueAt }: MailFacts): boolean =>
  byHand && (retriesLeft === 0 || dueAt === null);

/** What can be done after an end; null for nothing. */
function afterEnd(actions: readonly CustomerAction[], language: MailLanguage): string | null {
  const closes = actions.includes('close');
  if (actions.includes('subscribe')) return closes ? language.closeThenSubscribe : language.subscribeAgain;
  return closes ? language.closeForDeposit : null;
}

/** What happens when nothing is done. */
function nextTry(kind: MailKind, { dueAt, byHand }: MailFacts, told: Told, language: MailLanguage): string {
  if (dueAt === null) return language.noNextTry;
  if (byHand) return language.payBy(told);
  return kind === 'last_try' ? language.lastTry(told) : language.nextTry(told);
}

function endOf(reason: string | null): MailEnd {
  return reason === 'cancelled' || reason === 'plan_ended' ? reason : 'plan_gone';
}
