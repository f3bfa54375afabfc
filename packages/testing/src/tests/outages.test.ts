import { afterEach, expect, it } from 'vitest';

import { createTestBilling, type TestBilling } from '../index.js';

let test: TestBilling;
afterEach(() => test.close());

it('charges after an outage of the chain what was due in it, and keeps access meanwhile', async () => {
  test = await createTestBilling();
  const { id } = await test.subscribe({ external_id: 'customer-42' });
  test.breakChain();
  await test.advance('30d');
  await expect(test.subscribe()).rejects.toMatchObject({ code: 'network_unavailable' });
  const access = () => test.project.access.check({ external_id: 'customer-42', plan: 'pro' });
  expect(await access()).toMatchObject({ access: true, status: 'active' });
  const attempts = async () => (await test.project.subscriptions.attempts(id)).data;
  expect((await attempts())[0]).toMatchObject({ outcome: 'blocked', reason: 'transport' });

  test.repairChain();
  await test.advance('1h');
  expect((await attempts())[0]).toMatchObject({ outcome: 'paid' });
  expect((await test.events()).map(({ type }) => type)).toEqual([
    'subscription.created',
    'subscription.access_granted',
    'subscription.renewed',
  ]);
});

it('forgives the errors that the service logs because the chain is broken, and no others', async () => {
  test = await createTestBilling();
  const { address } = await test.wallet();
  const create = () =>
    test.handler(
      new Request('http://localhost/v1/subscriptions', {
        method: 'POST',
        headers: { authorization: `Bearer ${test.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ plan: 'pro', wallet: address }),
      }),
    );
  test.breakChain();
  expect((await create()).status).toBe(503);
  await test.close();
  test.breakChain();
  test.repairChain();
  expect((await create()).status).toBe(201);
});

it('closes with `await using`, and fails for an error that the service logged', async () => {
  test = await createTestBilling();
  const failing = await createTestBilling();
  failing.billing.service.logger.error({ err: new Error('a fault') }, 'something failed');
  await expect(failing[Symbol.asyncDispose]()).rejects.toThrow(/something failed/);
});
