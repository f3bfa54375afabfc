import { describe, expect, it } from 'vitest';
import { EVERY_ROUTE, SIGNATURE } from './routes.js';
import { PERIOD, PRICE, statusAndCode, type Scenario } from './scenario.js';
import type { Body } from './client.js';
import { openSuite } from './suite.js';

const suite = openSuite();

/** One answer of every shape. */
async function everyShape(scenario: Scenario): Promise<readonly Body[]> {
  const wallet = await scenario.wallet();
  const id = await scenario.subscribe(wallet);
  await scenario.control.pass(PERIOD);
  const { api } = scenario;
  const answers = [
    await api.get('/access', { wallet: wallet.address }),
    await api.get('/access', { wallet: wallet.address, plan: 'pro', attempts: '1' }),
    await api.get('/project'),
    await api.get('/plans'),
    await api.get('/plans/pro'),
    await scenario.create(await scenario.wallet(), { external_id: 'customer-2' }),
    await api.get('/subscriptions', { wallet: wallet.address }),
    await api.get(`/subscriptions/${id}`),
    await api.get(`/subscriptions/${id}/attempts`),
    await api.get('/events'),
    await scenario.act('cancel', id, wallet),
    await api.post(`/subscriptions/${id}/resume`),
    await api.get('/plans/nothing'),
  ];
  return answers.map(({ body }) => body);
}

function* fieldsOf(value: unknown): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* fieldsOf(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [field, nested] of Object.entries(value)) {
      yield [field, nested];
      yield* fieldsOf(nested);
    }
  }
}

describe('Conventions', () => {
  it('field names are snake_case; statuses, reasons and outcomes are lowercase', async () => {
    const fields = (await everyShape(await suite.scenario())).flatMap((body) => [...fieldsOf(body)]);
    expect(fields.length).toBeGreaterThan(200);
    // The contract's error body has this one name in camelCase.
    for (const [field] of fields) expect(field).toMatch(/^([a-z][a-z0-9]*(_[a-z0-9]+)*|statusCode)$/);
    const words = fields.filter(([field]) => /^(status|.*reason|outcome|tier|payment_status)$/.test(field));
    for (const [, word] of words) if (word !== null) expect(word).toMatch(/^[a-z0-9_]+$/);
  });

  // requests#dates-on-the-wire
  it('dates are ISO 8601 in UTC with exactly three decimals', async () => {
    const fields = (await everyShape(await suite.scenario())).flatMap((body) => [...fieldsOf(body)]);
    const dates = fields.filter(
      ([field, value]) => /(_at|_until|_since|_start|_end|_deadline)$/.test(field) && value !== null,
    );
    expect(dates.length).toBeGreaterThan(50);
    for (const [, date] of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('amounts, heights and lamports are strings', async () => {
    const scenario = await suite.scenario();
    const { body } = await scenario.create(await scenario.wallet());
    const { last_valid_block_height, costs } = body as { last_valid_block_height: unknown; costs: Body };
    expect(last_valid_block_height).toMatch(/^[0-9]+$/);
    for (const [field, value] of fieldsOf(costs)) {
      if (field === 'signatures') expect(value).toBe(2);
      else if (typeof value !== 'object') expect(value).toMatch(/^[0-9]+$/);
    }
    expect((await scenario.api.get('/plans/pro')).body['amount']).toBe(PRICE.toString());
  });

  it('a field without a value is null and never omitted, apart from reasons and attempts', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription } = await scenario.issue(wallet);
    const pending = await scenario.read(subscription.id);
    const id = await scenario.subscribe(wallet);
    expect(Object.keys(pending)).toEqual(Object.keys(await scenario.read(id)));
    expect(await scenario.access({ wallet: wallet.address, plan: 'pro' })).not.toHaveProperty('attempts');
    const answer = await scenario.act('cancel', id, wallet);
    expect(Object.keys(answer.body)).toEqual(['subscription']);
  });

  it('a body field that a route does not know is refused', async () => {
    const { api } = await suite.scenario();
    for (const [, { method, path, body }] of EVERY_ROUTE) {
      if (method !== 'POST') continue;
      const answer = await api.post(path.replace('/v1', ''), { ...body, nope: 1 });
      expect(statusAndCode(answer)).toBe('400 invalid_request');
      expect(answer.body['message']).toEqual(['The request must not contain "nope".']);
    }
  });

  // requests#request-id
  it('the service makes Service-Request-Id and ignores one in the request', async () => {
    const { api } = await suite.scenario();
    const mine = `req_${'m'.repeat(24)}`;
    const first = await api.get('/project', {}, { 'service-request-id': mine });
    const second = await api.get('/project', {}, { 'service-request-id': mine });
    const ids = [first, second].map(({ headers }) => headers.get('service-request-id'));
    expect(new Set([...ids, mine]).size).toBe(3);
  });

  it('a version that is not served is refused, and those that are named', async () => {
    const { api } = await suite.scenario();
    for (const version of ['2026-10-01', 'latest', '', '2026-10-02T00:00:00Z', 'v1']) {
      const answer = await api.get('/project', {}, { 'service-version': version });
      expect(statusAndCode(answer)).toBe('400 unsupported_version');
      expect(answer.body['message']).toContain('2026-10-02');
    }
    const served = await api.get('/project', {}, { 'service-version': '2026-10-02' });
    expect(statusAndCode(served)).toBe('200');
  });

  it('every answer carries Service-Version, on errors and unknown paths too', async () => {
    const { api } = await suite.scenario();
    for (const path of ['/project', '/plans/nothing', '/nothing']) {
      expect((await api.get(path)).headers.get('service-version')).toBe('2026-10-02');
    }
  });

  // errors#unknown-route-message, requests#exact-path-match, requests#unknown-routes-under-the-version-path
  it('an unknown path or method answers 404 not_found and names it', async () => {
    const { api } = await suite.scenario();
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['GET', '/v1'],
      ['GET', '/v1/plans/'],
      ['GET', '/v1/plans/pro/'],
      ['GET', '/v1//plans'],
      ['GET', '/v1/Plans'],
      ['DELETE', '/v1/plans'],
      ['POST', '/v1/plans'],
      ['PUT', '/v1/subscriptions'],
      ['GET', '/v1/subscriptions/sub_1/cancel'],
    ] as const) {
      const answer = await api.send({ method, path });
      expect(statusAndCode(answer)).toBe('404 not_found');
      expect(answer.body['message']).toBe(`Cannot ${method} ${path}`);
    }
  });
});

describe('Requests', () => {
  // requests#success-status
  it('a GET answers 200, a POST 201 and the retry route 202', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet(PRICE);
    expect((await scenario.create(wallet)).status).toBe(201);
    const id = await scenario.subscribe(wallet);
    expect((await scenario.api.get(`/subscriptions/${id}`)).status).toBe(200);
    await scenario.control.pass(PERIOD);
    await scenario.setHolding(wallet, PRICE);
    expect((await scenario.api.post(`/subscriptions/${id}/retry`)).status).toBe(202);
  });

  // requests#unknown-headers-ignored
  it('unknown headers are ignored, a version header of another name included', async () => {
    const { api } = await suite.scenario();
    expect(
      statusAndCode(await api.get('/project', {}, { 'mesub-version': 'latest', 'x-anything': '1' })),
    ).toBe('200');
  });

  // requests#post-without-a-body
  it('a route without a body takes none, an empty one and {}, with any content type or none', async () => {
    const { api } = await suite.scenario();
    const path = '/v1/subscriptions/sub_000000000000000000000000/transaction';
    for (const sent of [
      {},
      { body: '' },
      { body: '{}' },
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
    ]) {
      expect(statusAndCode(await api.send({ method: 'POST', path, ...sent }))).toBe(
        '404 subscription_not_found',
      );
    }
    expect(statusAndCode(await api.send({ method: 'POST', path, body: '{"a":1}' }))).toBe(
      '400 invalid_request',
    );
  });

  // requests#post-without-a-body
  it('a route with a body refuses other values than objects, broken JSON, bytes that are not text, and another content type', async () => {
    const { api } = await suite.scenario();
    const json = { 'content-type': 'application/json' };
    for (const [headers, body] of [
      [json, '[]'],
      [json, 'null'],
      [json, '"text"'],
      [json, '{"plan":'],
      [json, ''],
      [json, new Uint8Array([0x7b, 0xff, 0x7d])],
      [{ 'content-type': 'text/plain' }, '{"plan":"pro"}'],
      [{ 'content-type': 'application/x-www-form-urlencoded' }, 'plan=pro'],
    ] as const) {
      const answer = await api.send({ method: 'POST', path: '/v1/subscriptions', headers, body });
      expect(statusAndCode(answer)).toBe('400 invalid_request');
    }
  });

  // requests#duplicate-and-empty-query-parameters
  it('a query parameter given twice is refused, and an empty one counts as given', async () => {
    const { api } = await suite.scenario();
    const twice = await api.send({ method: 'GET', path: '/v1/access?external_id=a&external_id=b' });
    expect(statusAndCode(twice)).toBe('400 invalid_request');
    for (const query of ['external_id=', 'external_id=a&plan=', 'external_id=a&attempts=']) {
      expect(statusAndCode(await api.send({ method: 'GET', path: `/v1/access?${query}` }))).toBe(
        '400 invalid_request',
      );
    }
  });

  // requests#customer-identifier-format
  it('external_id and email are trimmed and the email is lowercased, in the answer too', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet, { external_id: '  customer 9 ', email: ' Ada@Example.ORG ' });
    expect(await scenario.read(id)).toMatchObject({ external_id: 'customer 9', email: 'ada@example.org' });
    expect(await scenario.access({ email: 'ADA@example.org ', plan: 'pro' })).toMatchObject({
      subscription_id: id,
    });
  });

  // requests#customer-identifier-format
  it('control characters are refused in an external_id', async () => {
    const { api } = await suite.scenario();
    for (const text of ['a\u0000', 'a\u001f', 'a\u007f', 'a\u0085']) {
      expect(statusAndCode(await api.get('/access', { external_id: text }))).toBe('400 invalid_request');
    }
  });

  // requests#head-requests
  it('HEAD answers as GET does, without a body', async () => {
    const { api } = await suite.scenario();
    const { status, headers } = await api.send({ method: 'HEAD', path: '/v1/plans/pro' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect((await api.send({ method: 'HEAD', path: '/v1/plans/nothing' })).status).toBe(404);
  });

  // requests#identifiers
  it('ids are a prefix and 24 letters or digits', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    expect(id).toMatch(/^sub_[0-9A-Za-z]{24}$/);
    expect((await scenario.api.get('/project')).body['id']).toMatch(/^proj_[0-9A-Za-z]{24}$/);
    expect((await scenario.attempts(id))[0]?.['id']).toMatch(/^att_[0-9A-Za-z]{24}$/);
    expect((await scenario.events(id))[0]?.id).toMatch(/^evt_[0-9A-Za-z]{24}$/);
  });

  it('a confirmation takes a signature of at most 88 characters that encodes 64 bytes', async () => {
    const { api } = await suite.scenario();
    const path = '/subscriptions/sub_000000000000000000000000/cancel/confirm';
    for (const signature of ['', '2'.repeat(89), '0'.repeat(86), '2'.repeat(40)]) {
      expect(statusAndCode(await api.post(path, { signature }))).toBe('400 invalid_request');
    }
    expect(statusAndCode(await api.post(path, { signature: SIGNATURE }))).toBe('404 subscription_not_found');
  });
});
