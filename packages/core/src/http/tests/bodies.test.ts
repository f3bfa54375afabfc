import { describe, expect, it } from 'vitest';

import { json, handlerFixture } from './fixtures.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const bytes = (text: string) => new TextEncoder().encode(text);

/** A stream without an end, which counts the chunks that were read and records whether it was cancelled. */
function endlessStream(chunk: Uint8Array) {
  const read = { chunks: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read.chunks += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        read.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, read };
}

// requests#post-without-a-body
describe('POST routes without a body', () => {
  const path = '/v1/widgets/a/retry';

  it.each([
    ['nothing at all', {}],
    ['an empty body', { body: '' }],
    ['an empty object', { body: '{}' }],
    ['an empty object as JSON', { body: '{}', headers: JSON_TYPE }],
    ['an empty body with the JSON content type', { body: '', headers: JSON_TYPE }],
    [
      'an empty body with the form content type',
      { body: '', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    ],
  ])('work with %s', async (_, options) => {
    const answer = await handlerFixture().call(path, { method: 'POST', ...options });
    expect([answer.status, answer.body]).toEqual([202, { id: 'a' }]);
  });

  it.each([
    ['a field', '{"amount":"1"}'],
    ['an array', '[]'],
    ['a null', 'null'],
    ['a string', '"{}"'],
    ['a field named __proto__', '{"__proto__":{}}'],
    ['broken JSON', '{'],
    ['a space', ' '],
  ])('refuse %s', async (_, body) => {
    const answer = await handlerFixture().call(path, { method: 'POST', body, headers: JSON_TYPE });
    expect(answer.body).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  });
});

// requests#json-body-required
describe('routes that take a body', () => {
  const NO_OBJECT = 'The body must be a JSON object.';
  const NO_JSON = 'The body must be JSON in UTF-8.';

  it.each([
    ['nothing', '', 'The body is missing: it must be a JSON object.'],
    ['an array', '[]', NO_OBJECT],
    ['an array of one', '[{"name":"lamp"}]', NO_OBJECT],
    ['a null', 'null', NO_OBJECT],
    ['a number', '7', NO_OBJECT],
    ['a string', '"lamp"', NO_OBJECT],
    ['broken JSON', '{"name":"lamp"', NO_JSON],
    ['JSON with more text after it', '{"name":"lamp"}{}', NO_JSON],
  ])('refuse %s', async (_, body, sentence) => {
    const answer = await handlerFixture().call('/v1/widgets', json(body));
    expect(answer.body).toMatchObject({ statusCode: 400, code: 'invalid_request', retryable: false });
    expect(answer.body['message']).toEqual([sentence]);
  });

  it('refuse bytes that are not UTF-8', async () => {
    const body = new Uint8Array([...bytes('{"name":"'), 0xff, ...bytes('"}')]);
    const answer = await handlerFixture().call('/v1/widgets', { method: 'POST', body, headers: JSON_TYPE });
    expect(answer.body['code']).toBe('invalid_request');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('refuse the content type %s', async (type) => {
    const options = { method: 'POST', body: '{"name":"lamp"}', headers: { 'Content-Type': type } };
    const answer = await handlerFixture().call('/v1/widgets', options);
    expect(answer.body).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      message: ['The content type must be application/json.'],
    });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
  ])('accept the content type %s', async (type) => {
    const options = { method: 'POST', body: '{"name":"lamp"}', headers: { 'Content-Type': type } };
    expect((await handlerFixture().call('/v1/widgets', options)).status).toBe(201);
  });

  // requests#json-body-required
  it('accept a body without a content type, and one with a byte order mark', async () => {
    const { call } = handlerFixture();
    const withoutType = { method: 'POST', body: bytes('{"name":"lamp"}') };
    expect((await call('/v1/widgets', withoutType)).status).toBe(201);
    expect((await call('/v1/widgets', json('\ufeff{"name":"lamp"}'))).status).toBe(201);
  });

  // requests#unknown-fields-refused
  it('refuse __proto__ and constructor as unknown fields, and change no prototype', async () => {
    const { call } = handlerFixture();
    for (const field of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const answer = await call('/v1/widgets', json(`{"name":"lamp","${field}":{"polluted":true}}`));
      expect(answer.body['message'], field).toEqual([`The request must not contain "${field}".`]);
    }
    expect((await call('/v1/widgets?__proto__=1')).body['message']).toEqual([
      'The request must not contain "__proto__".',
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  // requests#json-body-required
  it('refuse JSON nested 45,000 levels deep', async () => {
    const deep = `{"name":${'['.repeat(45_000)}${']'.repeat(45_000)}}`;
    const answer = await handlerFixture().call('/v1/widgets', json(deep));
    expect(answer.body['message']).toEqual(['"name" must be a name.']);
  });

  // requests#unknown-fields-refused
  it('name at most five unknown fields, and only the start of a long name', async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}`.padStart(100, 'x'), 1]));
    const [first, second] = (await handlerFixture().call('/v1/widgets', json(body))).body[
      'message'
    ] as string[];
    expect(first).toBe('"name" is missing: it must be a name.');
    expect(second).toMatch(/^The request must not contain ("x{64}", ){4}"x{64}" and more\.$/);
  });
});

// requests#body-size-limit
describe('the limit of 100 kB for a body', () => {
  const bodyOfLength = (length: number) => `{"name":"${'x'.repeat(length - 11)}"}`;

  // requests#body-size-limit
  it('accepts 100,000 bytes and refuses one more with payload_too_large', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets', json(bodyOfLength(100_000)))).status).toBe(201);
    expect((await call('/v1/widgets', json(bodyOfLength(100_001)))).body).toMatchObject({
      statusCode: 413,
      error: 'Payload Too Large',
      code: 'payload_too_large',
      retryable: false,
    });
  });

  // requests#body-size-limit
  it('counts bytes, not characters', async () => {
    const answer = await handlerFixture().call('/v1/widgets', json(`{"name":"${'é'.repeat(50_000)}"}`));
    expect(answer.status).toBe(413);
  });

  // requests#body-size-limit
  it('refuses a body by its stated length before reading any of it', async () => {
    const { stream, read } = endlessStream(new Uint8Array(1000));
    const headers = { ...JSON_TYPE, 'Content-Length': '100001' };
    const answer = await handlerFixture().call('/v1/widgets', { method: 'POST', body: stream, headers });
    expect([answer.status, read.chunks]).toEqual([413, 0]);
  });

  // requests#body-size-limit
  it('stops reading a longer body that states no length or a wrong one', async () => {
    for (const stated of [{}, { 'Content-Length': '10' }]) {
      const { stream, read } = endlessStream(new Uint8Array(1000));
      const answer = await handlerFixture().call('/v1/widgets', {
        method: 'POST',
        body: stream,
        headers: { ...JSON_TYPE, ...stated },
      });
      expect([answer.status, read]).toEqual([413, { chunks: 101, cancelled: true }]);
    }
  });

  // requests#body-size-limit
  it('applies also to a route without a body', async () => {
    const answer = await handlerFixture().call('/v1/widgets/a/retry', json(bodyOfLength(100_001)));
    expect(answer.status).toBe(413);
  });

  // requests#json-body-required
  it('refuses a body that ends early with invalid_request', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error('aborted'));
      },
    });
    const answer = await handlerFixture().call('/v1/widgets', {
      method: 'POST',
      body: stream,
      headers: JSON_TYPE,
    });
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      message: ['The body ended before all of it had arrived. Send the request again.'],
    });
  });
});
