import { describe, expect, it } from 'vitest';

import { ServiceError } from '../../contract/errors.js';
import { mountFetch } from '../handler.js';
import { Unavailable } from '../../ports/unavailable.js';
import { KEY, THINGS, asking, json, things, world } from './world.js';

/** What a route answers when its operation throws this. */
async function thrown(error: unknown) {
  const { billing, logged } = world();
  const [first] = THINGS;
  if (first === undefined) throw new Error('there are routes');
  const run = async () => {
    throw error as Error;
  };
  const failing = { ...first, run };
  return { answer: await asking(mountFetch(billing.service, [failing]))('/v1/things'), logged };
}

// errors#error-body
describe('errors', () => {
  // errors#error-body
  it('answers a refusal with its code, status, retryable and its own message', async () => {
    const refusal = new ServiceError('close_too_early', { message: 'It can be closed from Monday on.' });
    const { answer, logged } = await thrown(refusal);
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
    expect((await thrown(new ServiceError('comeback_in_flight'))).answer.headers.get('Retry-After')).toBe(
      '10',
    );
    const soon = new ServiceError('retry_too_soon', { retryAfter: 77 });
    expect((await thrown(soon)).answer.headers.get('Retry-After')).toBe('77');
  });

  // errors#internal-errors
  it('answers a fault with internal_error, without its details, and logs it under the request id', async () => {
    const { answer, logged } = await thrown(new TypeError('secret plan at 0x17'));
    expect(answer.body).toMatchObject({ statusCode: 500, code: 'internal_error', retryable: true });
    expect(answer.text).not.toContain('0x17');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(answer.headers.get('Service-Request-Id'));
    expect(logged[0]).toContain('secret plan at 0x17');
    expect(logged[0]).toContain('GET /v1/things');
  });

  // errors#internal-errors
  it.each([undefined, null, 'a string', 17, { code: 'conflict' }])(
    'answers internal_error to a thrown %s',
    async (value) => {
      expect((await thrown(value)).answer.body['code']).toBe('internal_error');
    },
  );

  // errors#store-unavailable
  it('answers unavailable, to be retried in 5 seconds, when the store cannot serve', async () => {
    const { answer, logged } = await thrown(
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
    const { ask } = things({}, { store: { findApiKey: () => Promise.reject(new Unavailable('down')) } });
    expect((await ask('/v1/things')).body['code']).toBe('unavailable');
    expect((await ask('/v1/nothing')).body['code']).toBe('unavailable');
  });

  // invariants#no-secret-leaks
  it('keeps the key, the address, the query and the body out of logs and answers', async () => {
    const { ask, logged } = things();
    const answers = [
      await ask(`/v1/fault?email=customer@example.com`),
      await ask(`/v1/fault`),
      await ask('/v1/outage'),
      await ask('/v1/things', json({ name: 1, secret_field: 'whsec_secret' })),
    ];
    const told = [...logged, ...answers.map(({ text }) => text)].join('\n');
    expect(logged).toHaveLength(2);
    for (const secret of [KEY, '203.0.113.7', 'customer@example.com', 'whsec_secret']) {
      expect(told).not.toContain(secret);
    }
  });
});
