import { describe, expect, expectTypeOf, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../contract/errors.js';
import { createClient } from './client.js';
import { ApiError, ApiErrors, CallError, isApiError } from './errors.js';
import { refusal, scriptedFetch, type Scripted } from './tests/scripted-fetch.js';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** The error of a call with this answer, without any retry. */
async function thrownFor(answer: Scripted): Promise<unknown> {
  const { fetch } = scriptedFetch(answer);
  const client = createClient({ url: 'http://subrail.test', key: 'SUB_key', fetch, maxRetries: 0 });
  return client.plans.list().then(
    () => expect.unreachable('The call must fail.'),
    (error: unknown) => error,
  );
}

describe('a refusal', () => {
  // errors#error-body
  it.each(CODES)('with the code %s has its class and all that the answer says', async (code) => {
    const answer = refusal(code);
    const body = (await answer.clone().json()) as Record<string, unknown>;
    const name = code
      .split('_')
      .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
      .join('') as keyof typeof ApiErrors;
    const error = await thrownFor(answer);
    expect(error).toBeInstanceOf(ApiErrors[name]);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(CallError);
    expect(Object.values(ApiErrors).filter((one) => error instanceof one)).toHaveLength(1);
    expect(error).toMatchObject({
      code,
      status: ERRORS[code].status,
      message: ERRORS[code].message,
      retryable: ERRORS[code].retryable,
      retryAfter: ERRORS[code].retryAfter ?? null,
      requestId: body['request_id'],
      sentences: null,
    });
    expect(isApiError(error, code)).toBe(true);
    expect(CODES.filter((other) => isApiError(error, other))).toEqual([code]);
  });

  it('has one class for each code', () => {
    expect(Object.keys(ApiErrors)).toHaveLength(CODES.length);
    expect(ApiErrors.SeatCapReached.name).toBe('SeatCapReached');
  });

  // errors#message-list-for-validation
  it('has one sentence for each fault of a request', async () => {
    const message = ['limit must be an integer from 1 to 100.', 'plan is not known.'];
    const body = { code: 'invalid_request', message, retryable: false, request_id: 'req_1' };
    expect(await thrownFor(Response.json(body, { status: 400 }))).toMatchObject({
      sentences: message,
      message: message.join(' '),
    });
  });

  it('with a code that this release does not know has the base class', async () => {
    const body = {
      code: 'moon_closed',
      message: 'The moon is closed.',
      retryable: true,
      request_id: 'req_1',
    };
    const error = await thrownFor(Response.json(body, { status: 409, headers: { 'retry-after': '7' } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(Object.values(ApiErrors).some((one) => error instanceof one)).toBe(false);
    expect(error).toMatchObject({ code: 'moon_closed', status: 409, retryable: true, retryAfter: 7 });
    expect(isApiError(error)).toBe(true);
  });

  it('has the type of its code', () => {
    const error: unknown = new ApiErrors.RetryTooSoon({
      ...{ status: 409, code: 'retry_too_soon', message: 'Wait.', retryable: true, retryAfter: 60 },
      requestId: 'req_1',
    });
    expect(error).toBeInstanceOf(ApiErrors.RetryTooSoon);
    if (error instanceof ApiErrors.RetryTooSoon) expectTypeOf(error.code).toEqualTypeOf<'retry_too_soon'>();
    if (isApiError(error, 'conflict')) expectTypeOf(error.code).toEqualTypeOf<'conflict'>();
    if (isApiError(error)) expectTypeOf(error).toEqualTypeOf<ApiError>();
  });
});

describe('isApiError', () => {
  it('knows the errors of another copy of the package', () => {
    const other = Object.assign(new Error('No.'), { name: 'ApiError', code: 'conflict' });
    expect(other).not.toBeInstanceOf(ApiError);
    expect(isApiError(other, 'conflict')).toBe(true);
    expect(isApiError(other, 'not_found')).toBe(false);
  });

  it.each([
    [new Error('No.')],
    [Object.assign(new Error('No.'), { code: 'conflict' })],
    [{ name: 'ApiError', code: 'conflict' }],
    [null],
    ['ApiError'],
  ])('does not take %o for one', (value) => {
    expect(isApiError(value)).toBe(false);
  });
});
