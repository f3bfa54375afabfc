import { expect, it } from 'vitest';
import { createMemoryStore } from '@subrail/adapters/memory';
import { restoreLocalnet } from '@subrail/localnet';
import { buildStage } from './stage.js';
it('probe', async () => {
  const store = createMemoryStore();
  let t = performance.now();
  const stage = await buildStage(store);
  console.log('build', performance.now() - t);
  for (const [name, actor] of stage.actors) {
    const row = store.tables.subscriptions.get(actor.id);
    console.log(name, row?.status, row?.endReason, row?.stopReason, row?.lateReason, row?.blockedReason);
  }
  console.log(Object.entries(store.tables).map(([n, t]) => `${n} ${t.all().length}`).join(', '));
  await stage.world.chain.save('/tmp/stage.chain');
  t = performance.now();
  for (let i = 0; i < 20; i++) await restoreLocalnet('/tmp/stage.chain');
  console.log('restore', (performance.now() - t) / 20);
  await stage.world.close();
}, 120000);
