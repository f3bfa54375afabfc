import { type Plan, type Project, receiverOf } from '../records/index.js';
import type { Settings } from '../service.js';
import { chargeable, periodFrom } from './billing-periods.js';
import { displayAmount } from './money.js';
import { MOST_SYMBOL_BYTES, type TokenName } from './token-name.js';

/** The facts that the terms of a checkout state. */
export interface TermsFacts {
  readonly plan: Plan;
  readonly project: Project;
  readonly settings: Settings;
  readonly wallet: string;
  readonly token: TokenName;
  /** The subscription that ends with the signature of a change of plan; null without one. */
  readonly replaced: {
    readonly slug: string;
    /** The end of its paid period; null when that is over. */
    readonly paidUntil: Date | null;
  } | null;
  /** Whether the transaction replaces the wallet's approval of this token for another app. */
  readonly replacesApproval: boolean;
  /** The start of the first paid period, which decides whether there is a second charge. */
  readonly periodStart: Date;
}

/**
 * Every line of the terms but nonce and expiry (terms#lines-of-the-terms). While these lines stay the same,
 * the same text is used again (terms#stable-terms).
 */
export function termsFacts(facts: TermsFacts): string {
  const { plan, project, settings, wallet, token, periodStart } = facts;
  const price = `${displayAmount(plan.amount, plan.decimals)} ${token.unit ?? 'tokens'}`;
  const every = periodWords(plan.periodHours);
  const end = plan.endsAt === null ? null : plan.endsAt.toISOString().slice(0, 10);
  const single = !chargeable(periodFrom(periodStart, plan).end, plan);
  const lines = [
    `${settings.serviceName}: terms of the subscription you are about to sign`,
    single ? `Amount: ${price}, a single charge` : `Amount: ${price} every ${every}`,
    single
      ? `Single charge: ${price}, in full, now, in the transaction you sign next`
      : `First charge: ${price}, now, in the transaction you sign next`,
    single
      ? null
      : `Then: ${price} every ${every} until you cancel${end === null ? '' : ` or the plan ends on ${end}`}`,
    end === null || single
      ? null
      : `Last charge: ${price}, in full, for the last period that starts before the plan ends`,
    end === null ? null : accessLine(end, single),
    single && end !== null ? `No further charge: the plan ends on ${end}` : null,
    `Paid to: ${receiverOf(plan)}`,
    `Subscription: ${plan.name}, ${project.name}`,
    tokenLine(plan.mint, token),
    `Cancel any time: ${project.cancelUrl ?? settings.publicUrl}`,
    `Plan: ${plan.address}`,
    plan.website === null ? null : `Plan details: ${plan.website}`,
    `Wallet: ${wallet}`,
    facts.replaced === null ? null : replacedLine(facts.replaced),
    facts.replacesApproval ? 'Approval: replaces the approval another app holds on this token' : null,
    'Signing this message moves nothing by itself.',
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** The exact text that the wallet signs (terms#terms-signature-encoding). */
export function termsMessage(facts: string, nonce: string, expiresAt: Date): string {
  return `${facts}\nNonce: ${nonce}\nExpires: ${expiresAt.toISOString()}`;
}

/** The most bytes that a hardware wallet signs as a text (terms#terms-fit-hardware-wallets). */
export const MOST_TERMS_BYTES = 1_212;

/** An address of the longest kind. */
const AN_ADDRESS = 'x'.repeat(44);
const A_NONCE = 'x'.repeat(12);
/** A slug of the longest kind. */
const A_SLUG = 'x'.repeat(64);
const A_LONG_SYMBOL = 'x'.repeat(MOST_SYMBOL_BYTES);
/** The token whose lines are the longest. */
const A_LONG_TOKEN: TokenName = {
  symbol: A_LONG_SYMBOL,
  name: null,
  logoUrl: null,
  verified: false,
  resembles: null,
  unit: A_LONG_SYMBOL,
};
const NEVER = new Date('9999-12-31T00:00:00.000Z');

/** The number of bytes of the longest terms that a checkout of a plan can have. */
export function longestTerms({
  plan,
  project,
  settings,
}: Pick<TermsFacts, 'plan' | 'project' | 'settings'>): number {
  const facts = termsFacts({
    // Every plan can be given an end.
    plan: {
      ...plan,
      owner: AN_ADDRESS,
      destinations: [],
      mint: AN_ADDRESS,
      address: AN_ADDRESS,
      endsAt: NEVER,
    },
    project,
    settings,
    wallet: AN_ADDRESS,
    token: A_LONG_TOKEN,
    replaced: { slug: A_SLUG, paidUntil: NEVER },
    replacesApproval: true,
    periodStart: new Date(0),
  });
  return new TextEncoder().encode(termsMessage(facts, A_NONCE, NEVER)).length;
}

/** The names of the subscription and of the token in signed terms; null where they have none. */
export function namesInTerms(message: string): {
  readonly name: string | null;
  readonly symbol: string | null;
} {
  return {
    name: /^Subscription: (.+)$/m.exec(message)?.[1] ?? null,
    symbol: /^Token: (.+?)(?:, not verified)?, mint \w+$/m.exec(message)?.[1] ?? null,
  };
}

/** Names the token, and says when its name is not verified (terms#token-in-the-terms). */
function tokenLine(mint: string, { symbol, verified, resembles }: TokenName): string {
  if (resembles !== null) return `Token: mint ${mint}, which is not ${resembles}`;
  if (symbol === null) return `Token: mint ${mint}`;
  return `Token: ${symbol}${verified ? '' : ', not verified'}, mint ${mint}`;
}

/** Says what a change of plan ends, and that nothing of it comes back (plan-changes#change-in-the-terms). */
function replacedLine({ slug, paidUntil }: NonNullable<TermsFacts['replaced']>): string {
  if (paidUntil === null) return `Ends now: ${slug}`;
  // With the minute, so that a renewal changes the line for every period.
  const until = paidUntil.toISOString().slice(0, 16).replace('T', ' ');
  return `Ends now: ${slug}, paid until ${until} UTC, without a refund`;
}

function accessLine(end: string, single: boolean): string {
  return single
    ? `Access: runs until ${end} when the plan ends`
    : `Access: stops on ${end} when the plan ends, even if a paid period is not over`;
}

/** A period in days when its hours make whole days, else in hours (terms#period-words-in-the-terms). */
function periodWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
