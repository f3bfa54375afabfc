import { describe, expect, it } from 'vitest';

import { blockedReason, isPlanSetup, lateReason } from './attempt-reasons.js';

describe('the reason of a blocked attempt', () => {
  // blocks#causes-of-a-block
  it.each([
    'puller_not_allowed',
    'receiver_not_allowed',
    'receiver_account_missing',
    'receiver_account_frozen',
    'receiver_account_needs_memo',
    'receiver_account_confidential_only',
    'mint_gone',
  ])('%s is a block caused by the setup of the plan', (reason) => {
    expect(blockedReason(reason)).toBe(reason);
    expect(isPlanSetup(blockedReason(reason))).toBe(true);
  });

  // blocks#causes-of-a-block
  it.each(['mint_paused', 'mint_transfer_hook'])(
    '%s is a block caused by the issuer of the token',
    (reason) => {
      expect(blockedReason(reason)).toBe(reason);
      expect(isPlanSetup(blockedReason(reason))).toBe(false);
    },
  );

  // blocks#blocked-reason-from-an-attempt
  it.each([
    'puller_missing',
    'terms_missing',
    'gone_unconfirmed',
    'send_unconfirmed',
    'landing_unknown',
    'transport',
    'solana_-32005',
    'program_130',
    'program_506',
  ])('%s is a block caused by the service', (reason) => {
    expect(blockedReason(reason)).toBe('mesub');
    expect(isPlanSetup('mesub')).toBe(false);
  });
});

describe('the reason of a late payment', () => {
  // attempts#late-reason
  it.each([
    ['insufficient_balance', 'insufficient_balance'],
    ['program_4', 'approval_revoked'],
    ['program_103', 'authority_closed'],
    ['program_136', 'authority_closed'],
    ['authority_closed', 'authority_closed'],
    ['program_1', null],
    ['token_account_frozen', null],
  ])('after %s is %s', (reason, expected) => {
    expect(lateReason(reason)).toBe(expected);
  });
});
