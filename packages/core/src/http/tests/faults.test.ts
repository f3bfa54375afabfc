import { describe, expect, it } from 'vitest';

import { ServiceError } from '../../contract/errors.js';
import { Unavailable } from '../../ports/unavailable.js';
import {
  KEY,
  SAMPLE_OPERATIONS,
  callerOf,
  fetchHandler,
  json,
  handlerFixture,
  serviceFixture,
} from './fixtures.js';

/** Calls a route whose operation throws this error. */
async function callThrowing(error: unknown) {
  const { billing, logged, loggedFacts } = serviceFixture();
  const [first] = SAMPLE_OPERATIONS;
  if (first === undefined) throw new Error('There is no sample operation.');
  const run = async () => {
    throw error as Error;
  };
  const failing = { ...first, run };
  const answer = await callerOf(fetchHandler(billing.service, [failing]))('/v1/widgets');
  return { answer, logged, loggedFacts };
}

// errors#error-body
describe('errors', () => {
  // errors#error-body
  it('answers a refusal with its code, status, retryable and its own message', async () => {
    const refusal = new ServiceError('close_too_early', { message: 'It can be closed from Monday on.' });
    const { answer, logged } = await callThrowing(refusal);
    expect(answer.body).toEqual({
      statusCode: 409,
      error: 'Conflict',
      code: 'close_too_early',
      message: 'It can be closed from Monday on.',
      retryable: false,
      request_id: answer.headers.get('Service-Request-Id'),
    });
    expect(answer.headers.get('Retry-After')).toBeNull();
    expect(logged).toEqual([]);
  });

  // errors#retry-after-header
  it('sends Retry-After by the code or by the refusal', async () => {
    expect(
      (await callThrowing(new ServiceError('comeback_in_flight'))).answer.headers.get('Retry-After'),
    ).toBe('10');
    const soon = new ServiceError('retry_too_soon', { retryAfter: 77 });
    expect((await callThrowing(soon)).answer.headers.get('Retry-After')).toBe('77');
  });

  // errors#internal-errors
  it('answers a fault with internal_error, without its details, and logs it under the request id', async () => {
    const { answer, logged } = await callThrowing(new TypeError('secret plan at 0x17'));
    expect(answer.body).toMatchObject({ statusCode: 500, code: 'internal_error', retryable: true });
    expect(answer.text).not.toContain('0x17');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(answer.headers.get('Service-Request-Id'));
    expect(logged[0]).toContain('secret plan at 0x17');
    expect(logged[0]).toContain('GET /v1/widgets');
  });

  // errors#internal-errors, invariants#no-secret-leaks
  it('logs a fault under err, with its name, message and stack and nothing else that it carries', async () => {
    const query = 'select * from api_keys';
    const fault = Object.assign(new RangeError('out of range', { cause: new Error(KEY) }), { query });
    const { loggedFacts, logged } = await callThrowing(fault);
    const [{ err }] = loggedFacts as [{ err: Error }];
    expect(err).toBeInstanceOf(Error);
    expect(err).toMatchObject({ name: 'RangeError', message: 'out of range', stack: fault.stack });
    expect(logged.join()).not.toContain(query);
    expect(logged.join()).not.toContain(KEY);
  });

  // errors#internal-errors
  it('logs what was thrown and is no error by its type only', async () => {
    const { loggedFacts, logged } = await callThrowing(`the key ${KEY}`);
    expect(loggedFacts).toMatchObject([{ err: { message: 'A string was thrown, which is no Error.' } }]);
    expect(logged.join()).not.toContain(KEY);
  });

  // errors#internal-errors
  it('logs why the chain was unavailable, which is no error', async () => {
    const unavailable = { kind: 'rpc', code: -32005 };
    const { loggedFacts } = await callThrowing(
      new ServiceError('network_unavailable', { cause: unavailable }),
    );
    expect(loggedFacts).toEqual([expect.objectContaining({ chain: unavailable })]);
    expect(loggedFacts[0]).not.toHaveProperty('err');
  });

  // errors#internal-errors
  it.each([undefined, null, 'a string', 17, { code: 'conflict' }])(
    'answers internal_error to a thrown %s',
    async (value) => {
      expect((await callThrowing(value)).answer.body['code']).toBe('internal_error');
    },
  );

  // errors#store-unavailable
  it('answers unavailable, to be retried in 5 seconds, when the store cannot serve', async () => {
    const { answer, logged } = await callThrowing(
      new Unavailable('no connection', { cause: new Error('refused') }),
    );
    expect(answer.body).toMatchObject({
      statusCode: 503,
      error: 'Service Unavailable',
      code: 'unavailable',
      retryable: true,
    });
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect(logged).toHaveLength(1);
  });

  // errors#store-unavailable
  it('answers unavailable and not a wrong key when the store cannot look the key up', async () => {
    const { call } = handlerFixture(
      {},
      { store: { findApiKey: () => Promise.reject(new Unavailable('down')) } },
    );
    expect((await call('/v1/widgets')).body['code']).toBe('unavailable');
    expect((await call('/v1/nothing')).body['code']).toBe('unavailable');
  });

  // invariants#no-secret-leaks
  it('keeps the key, the address, the query and the body out of logs and answers', async () => {
    const { call, logged } = handlerFixture();
    const answers = [
      await call(`/v1/fault?email=customer@example.com`),
      await call(`/v1/fault`),
      await call('/v1/outage'),
      await call('/v1/widgets', json({ name: 1, secret_field: 'whsec_secret' })),
    ];
    const output = [...logged, ...answers.map(({ text }) => text)].join('\n');
    expect(logged).toHaveLength(2);
    for (const secret of [KEY, '203.0.113.7', 'customer@example.com', 'whsec_secret']) {
      expect(output).not.toContain(secret);
    }
  });
});
