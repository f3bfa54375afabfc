import { expect, it } from 'vitest';

import { reasonText } from './reason-texts.js';

/** What the contract says that a reason means: the words that its text cannot do without. */
const MEANINGS: Readonly<Record<string, RegExp>> = {
  program_400: /^the period .* charged/,
  program_508: /cancelled on chain.* expiry has passed/,
  gone_unconfirmed: /the plan or the subscription read as gone/,
  send_unconfirmed: /landed is not known yet/,
  landing_unknown: /does not say whether .* landed/,
  transport: /no server .* in time, or what was sent never landed/,
};

// management#subscription-explained
it.each(Object.entries(MEANINGS))('%s is told as what the contract says it means', (reason, meaning) => {
  const text = reasonText(reason);
  expect(text).toMatch(meaning);
  expect(text.endsWith(` (${reason})`)).toBe(true);
});
