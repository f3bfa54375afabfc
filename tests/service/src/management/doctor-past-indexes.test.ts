import { createMemoryStore } from '@subrail/adapters/memory';
import type { SubscriptionId } from '@subrail/core/ports';
import { anAttempt, aTransfer } from '@subrail/core/testing';
import { openTestWorld } from '@subrail/test-world';
import { expect, it } from 'vitest';

// management#doctor
it('finds two payments of one period, which the indexes of a store refuse unless they are damaged', async () => {
  const store = createMemoryStore();
  const world = await openTestWorld({ store });
  const id = (await world.subscribe(await world.wallet(50_000_000n), 'reader')) as SubscriptionId;
  const { attempts, transfers } = store.tables;
  const [attempt] = attempts.where('subscription', id);
  const [transfer] = transfers.where('subscription', id);
  const paid = attempt?.periodStart ?? new Date(0);
  const second = { signature: 'Second', periodStart: new Date(paid.getTime() + 1) };
  attempts.put([anAttempt({ ...attempt, ...second, id: anAttempt().id })]);
  transfers.put([aTransfer({ ...transfer, ...second, id: aTransfer().id })]);
  for (const table of [attempts, transfers])
    for (const row of table.where('subscription', id))
      if (row.signature === second.signature) Object.assign(row, { periodStart: paid });

  const { findings } = await world.billing.project(world.projectId).doctor.examine();
  expect(findings.map(({ check }) => check)).toContain('one_payment_per_period');
});
