import { expect, it } from 'vitest';

import { ATTEMPT_REASONS } from '../../../contract/attempt.js';
import { type BlockedReason, EndReason, StopReason } from '../../../contract/enums.js';
import { reasonText } from './reason-texts.js';

/** The families of reasons that may appear with any number. */
const OTHER_NUMBERS = ['program_77777', 'solana_77777'];

// management#subscription-explained
it.each([...ATTEMPT_REASONS, ...StopReason.options, ...EndReason.options, ...OTHER_NUMBERS])(
  '%s is told in words, with the reason behind them',
  (reason) => {
    const [words = '', behind] = reasonText(reason).split(/ (?=\([^)]+\)$)/);
    expect(behind).toBe(`(${reason})`);
    expect(words).toMatch(/^[a-z']+(?: [\w',]+)+$/i);
    expect(words).not.toContain('_');
  },
);

/** The meaning of a reason by the contract: the words that its text cannot do without. */
const MEANINGS: Readonly<Record<Exclude<(typeof ATTEMPT_REASONS)[number], BlockedReason>, RegExp>> = {
  insufficient_balance: /wallet held less than is due/,
  token_account_reassigned: /wallet's account .* belongs to another/,
  token_account_frozen: /wallet's account .* frozen/,
  authority_closed: /closed the authority/,
  program_1: /held less .* approval covers less/,
  program_4: /took back the approval/,
  program_103: /closed the authority/,
  program_136: /closed the authority/,
  program_508: /cancelled on chain.* expiry has passed/,
  cancelled: /cancelled/,
  closed_elsewhere: /closed its account on chain without the service/,
  plan_removed: /plan was deleted/,
  plan_replaced: /plan was deleted .* other terms/,
  plan_ended: /plan reached its end/,
  program_130: /did not let the charger pull/,
  program_501: /plan reached its end/,
  program_506: /receiving account does not belong/,
  program_516: /plan was deleted/,
  program_519: /plan was deleted .* anew/,
  period_already_paid: /period as paid/,
  period_missed: /no charge was made in the period/,
  terms_missing: /no terms were signed/,
  puller_missing: /service's record of the plan lacks/,
  gone_unconfirmed: /the plan or the subscription read as gone/,
  send_unconfirmed: /landed is not known yet/,
  landing_unknown: /does not say whether .* landed/,
  program_400: /^the period .* charged/,
  'solana_-32005': /refused the transaction, or a server of it the call/,
  transport: /no server .* in time, or what was sent never landed/,
};

// management#subscription-explained
it.each(Object.entries(MEANINGS))('%s is told as what the contract says it means', (reason, meaning) => {
  expect(reasonText(reason)).toMatch(meaning);
});
