import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requirePlan } from '../../operations/require.js';
import type { Plan, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireShortTerms } from './plan-limits.js';
import type { PlanUpdate } from './schemas.js';

export async function updatePlan(
  service: Service,
  project: Project,
  slug: string,
  changes: z.output<typeof PlanUpdate>,
): Promise<Plan> {
  const before = await requirePlan(service, project, slug);
  const {
    name = before.name,
    description = before.description,
    website = before.website,
    logo_url: logoUrl = before.logoUrl,
    one_per_customer: onePerCustomer = before.onePerCustomer,
  } = changes;
  if (name !== before.name && before.status !== 'draft')
    throw new ServiceError('conflict', {
      message: 'The plan was published, so its name stays: wallets signed it in their terms.',
    });
  const version = before.version + 1;
  const plan: Plan = { ...before, version, name, description, website, logoUrl, onePerCustomer };
  // The terms of an older plan may be too long already; fields that they do not state may change.
  if (name !== before.name || website !== before.website) requireShortTerms(service, project, plan);
  if ((await service.store.updatePlan(plan)) === 'lost') throw await lostUpdate(service, before);
  return plan;
}

export async function discardPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const draft = await requirePlan(service, project, slug);
  if (draft.status !== 'draft')
    throw new ServiceError('conflict', {
      message: `The plan is not a draft: its status is ${draft.status}. Only a draft can be discarded.`,
    });
  if (requireAnswer(await service.chain.readPlan(draft.address)) !== null)
    throw new ServiceError('conflict', {
      message: 'The plan is on chain already. Confirm its publication instead.',
    });
  const discarded: Plan = { ...draft, version: draft.version + 1, status: 'failed' };
  if ((await service.store.updatePlan(discarded)) === 'lost') throw await lostUpdate(service, draft);
  return discarded;
}

/** Why an update was lost: another plan has the name, or another call changed the plan. */
async function lostUpdate({ store }: Service, { id, version }: Plan): Promise<ServiceError> {
  const stored = await store.findPlan(id);
  return stored?.version === version
    ? new ServiceError('plan_name_taken')
    : new ServiceError('conflict', { message: 'Another call changed the plan. Read it again.' });
}
