import type { TermsFact, TermsFactName } from '../contract/customer.js';

/** The end of the first line, whose start is the name of the service. */
const FIRST_LINE = 'terms of the subscription you are about to sign';
const MOVES_NOTHING = 'Signing this message moves nothing by itself.';

/** The fact of the line with each label, and whether a page may hide it (portal#terms-as-facts). */
const FACTS: ReadonlyMap<string, readonly [TermsFactName, 'folded' | 'shown']> = new Map([
  ['Amount', ['amount', 'folded']],
  ['First charge', ['first_charge', 'folded']],
  ['Single charge', ['first_charge', 'shown']],
  ['Then', ['then', 'shown']],
  ['Last charge', ['last_charge', 'shown']],
  ['Access', ['access', 'shown']],
  ['No further charge', ['no_further_charge', 'shown']],
  ['Paid to', ['paid_to', 'folded']],
  ['Subscription', ['subscription', 'folded']],
  ['Token', ['token', 'shown']],
  ['Cancel any time', ['cancel', 'folded']],
  ['Plan', ['plan', 'folded']],
  ['Plan details', ['plan_details', 'folded']],
  ['Wallet', ['wallet', 'folded']],
  ['Ends now', ['ends_now', 'shown']],
  ['Approval', ['approval', 'shown']],
  ['Nonce', ['nonce', 'folded']],
  ['Expires', ['expires', 'folded']],
]);

/**
 * The lines of the terms as facts, in their order (portal#terms-as-facts). Labels and values joined with a
 * colon are the message again, so a page that shows the facts shows what the wallet signs.
 */
export function factsOfTerms(message: string): TermsFact[] {
  return message.split('\n').map((line, index) => (index === 0 ? firstFact(line) : factOf(line)));
}

function firstFact(line: string): TermsFact {
  const end = `: ${FIRST_LINE}`;
  if (!line.endsWith(end)) return other(line);
  return { name: 'service', label: line.slice(0, -end.length), value: FIRST_LINE, folded: true };
}

function factOf(line: string): TermsFact {
  if (line === MOVES_NOTHING) return { name: 'moves_nothing', label: null, value: line, folded: true };
  const [label = ''] = line.split(': ', 1);
  const fact = FACTS.get(label);
  if (fact === undefined || label === line) return other(line);
  const [name, place] = fact;
  const value = line.slice(label.length + 2);
  return { name, label, value, folded: name === 'token' ? isVerified(value) : place === 'folded' };
}

function other(line: string): TermsFact {
  return { name: 'other', label: null, value: line, folded: false };
}

/** Whether the terms name a token without a doubt about its name (terms#token-in-the-terms). */
function isVerified(token: string): boolean {
  return /^.+, mint \w+$/.test(token) && !/, not verified, mint \w+$/.test(token);
}
