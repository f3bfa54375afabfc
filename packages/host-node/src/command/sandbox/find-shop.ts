import type { ProjectBilling } from '@subrail/core';
import type { Manager } from '@subrail/core/client';
import { CommandFailed, isRefusal } from '../errors.js';

/** The newest project that has a plan. */
export function shopWithPlan(manager: Manager, slug: string): Promise<ProjectBilling> {
  return shopThat(manager, `the plan "${slug}", published`, async ({ plans }) =>
    (await plans.list()).plans.some((plan) => plan.slug === slug),
  );
}

/** The project of a subscription. */
export function shopWithSubscription(manager: Manager, id: string): Promise<ProjectBilling> {
  return shopThat(manager, `the subscription ${id}`, async ({ subscriptions }) => {
    try {
      await subscriptions.retrieve(id);
      return true;
    } catch (error) {
      if (isRefusal(error) && error.code === 'subscription_not_found') return false;
      throw error;
    }
  });
}

async function shopThat(
  manager: Manager,
  what: string,
  has: (shop: ProjectBilling) => Promise<boolean>,
): Promise<ProjectBilling> {
  for (const { id } of await manager.projects.list()) {
    const shop = manager.project(id);
    if (await has(shop)) return shop;
  }
  throw new CommandFailed(`No project has ${what}.`);
}
