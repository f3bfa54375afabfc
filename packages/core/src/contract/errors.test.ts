import { describe, expect, it } from 'vitest';

import { ERRORS, ServiceError, isServiceError, type ErrorCode } from './errors.js';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const statusesOf = (codes: readonly ErrorCode[]) => [...new Set(codes.map((code) => ERRORS[code].status))];

describe('the table of errors', () => {
  // errors#retryable-errors
  it('marks exactly these codes as retryable', () => {
    expect(CODES.filter((code) => ERRORS[code].retryable).toSorted()).toEqual([
      'change_in_flight',
      'comeback_in_flight',
      'comeback_period_rolling',
      'internal_error',
      'network_unavailable',
      'pending_cap_reached',
      'pull_running',
      'rate_limited',
      'request_timeout',
      'retry_too_soon',
      'subscription_changed',
      'unavailable',
    ]);
  });

  // errors#retry-after-header
  it('has a time to wait for every retryable code but internal_error, and for no other', () => {
    for (const code of CODES) {
      const waits = new ServiceError(code).retryAfter !== null;
      expect(waits, code).toBe(ERRORS[code].retryable && code !== 'internal_error');
    }
    const seconds = (code: ErrorCode) => new ServiceError(code).retryAfter;
    expect([seconds('subscription_changed'), seconds('request_timeout')]).toEqual([1, 1]);
    expect(seconds('unavailable')).toBe(5);
    expect([seconds('network_unavailable'), seconds('pull_running'), seconds('comeback_in_flight')]).toEqual([
      10, 10, 10,
    ]);
  });

  // errors#terms-codes
  it('refuses terms with 403, and changed terms with 409', () => {
    expect(statusesOf(['terms_missing', 'invalid_terms_signature', 'terms_used', 'terms_expired'])).toEqual([
      403,
    ]);
    expect(ERRORS.terms_changed.status).toBe(409);
  });

  // errors#management-error-codes
  it('has the codes of the management operations, with their statuses', () => {
    expect(statusesOf(['conflict', 'plan_name_taken', 'slug_taken', 'end_date_stale'])).toEqual([409]);
    expect(statusesOf(['end_date_too_soon', 'end_date_too_far'])).toEqual([400]);
    expect(ERRORS.forbidden.status).toBe(403);
    expect(ERRORS.not_supported.status).toBe(501);
  });

  it('has a message of whole sentences for every code', () => {
    for (const code of CODES) expect(ERRORS[code].message, code).toMatch(/^[A-Z].*\.$/s);
  });
});

describe('isServiceError', () => {
  const error = new ServiceError('plan_not_found');

  it('knows a refusal, and its code', () => {
    expect(isServiceError(error)).toBe(true);
    expect(isServiceError(error, 'plan_not_found')).toBe(true);
    expect(isServiceError(error, 'not_found')).toBe(false);
  });

  it('knows a refusal of another copy of the package', () => {
    const other = Object.assign(new Error('x'), { name: 'ServiceError', code: 'plan_not_found' });
    expect(isServiceError(other, 'plan_not_found')).toBe(true);
  });

  it.each([null, 'plan_not_found', new Error('x'), { name: 'ServiceError', code: 'plan_not_found' }])(
    'does not take %s for one',
    (value) => {
      expect(isServiceError(value)).toBe(false);
    },
  );
});
