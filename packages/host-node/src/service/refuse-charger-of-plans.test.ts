import type { Billing } from '@subrail/core';
import { aPlan, aProject } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { refuseChargerOfPlans } from './refuse-charger-of-plans.js';

// starting#charger-is-no-wallet-of-a-plan
test('says of which project the plans cannot be read, and finds those of the others', async () => {
  const [damaged, whole] = [aProject(), aProject()];
  const err = new Error('row');
  const plan = aPlan({ projectId: whole.id, owner: 'charger' });
  const warned: object[] = [];
  const billing = {
    service: {
      store: {
        listProjects: async () => [damaged, whole],
        listPlans: (id: string) => (id === damaged.id ? Promise.reject(err) : Promise.resolve([plan])),
      },
      chain: { charger: 'charger' },
      logger: { warn: (facts: object) => void warned.push(facts) },
    },
  } as unknown as Billing;
  await expect(refuseChargerOfPlans(billing)).rejects.toThrow(
    `The charger charger is also the owner of ${whole.id}/${plan.slug}.`,
  );
  expect(warned).toEqual([{ err, project: damaged.id }]);
});
