import { expect, it } from 'vitest';

import { openWorld } from './world.js';

it('a database that is gone is told as unavailable, which may be tried again', async () => {
  const world = await openWorld({ store: 'sqlite' });
  await world.close();
  const answer = await world.call('GET', '/plans');
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', retryable: true } });
  await expect(world.billing.worker.charge()).rejects.toMatchObject({ name: 'Unavailable' });
});
