import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requirePlan } from '../../operations/require.js';
import type { Plan, Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { followPlan, storeAsRead, storeFollowed } from './follow-plan.js';
import type { ExpectedPlan } from './schemas.js';

const SECOND_READ_MS = 60_000;

/** Follows a published plan to the chain. Throws `plan_mismatch` when the caller expects something else. */
export async function confirmUpdate(
  service: Service,
  project: Project,
  slug: string,
  expected: z.output<typeof ExpectedPlan>,
): Promise<Plan> {
  const { plan } = await followPlan(service, project, slug);
  const differing = differences(plan, expected);
  if (differing.length > 0)
    throw new ServiceError('plan_mismatch', {
      message: `The chain does not show the change yet: ${differing.join(', ')}. Have the owner sign and send its transaction, then confirm again.`,
    });
  return plan;
}

/**
 * Closes a plan that its owner deleted. Until a read at `finalized` shows it gone too, the plan is
 * unavailable, and the worker goes on reading it (attempts#gone-needs-two-reads). Throws `conflict` for a
 * plan on chain.
 */
export async function confirmDelete(service: Service, project: Project, slug: string): Promise<Plan> {
  const { chain, clock } = service;
  const plan = await requirePlan(service, project, slug);
  if (plan.status === 'draft') throw new ServiceError('plan_not_on_chain');
  if (plan.status === 'closed') return plan;
  const view = requireAnswer(await chain.readPlan(plan.address));
  if (view !== null) {
    const read = await storeAsRead(service, plan, view);
    if (read.status === 'closed') return read;
    throw new ServiceError('conflict', {
      message:
        'The plan is still on chain. Have its owner sign and send the transaction that deletes it, then confirm again.',
    });
  }
  const [finalized] = await chain.readPlans([plan.address], 'finalized');
  if (finalized?.ok === true && finalized.value === null)
    return storeFollowed(service, plan, { ...plan, status: 'closed', goneSince: null });
  if (plan.goneSince !== null) return plan;
  const now = clock.now();
  return storeFollowed(service, plan, { ...plan, goneSince: now }, plus(now, SECOND_READ_MS));
}

/** The differences between a plan and the caller's expectation, as parts of a sentence. */
function differences(
  { status, endsAt, pullers }: Plan,
  expected: z.output<typeof ExpectedPlan>,
): readonly string[] {
  const endSecond = expected.ends_at === undefined ? null : Math.floor(Date.parse(expected.ends_at) / 1000);
  return [
    expected.status === undefined || expected.status === status ? [] : `its status is ${status}`,
    endSecond === null || endSecond * 1000 === endsAt?.getTime()
      ? []
      : endsAt === null
        ? 'it has no end'
        : `it ends at ${toWireDate(endsAt)}`,
    expected.pullers === undefined || isSameSet(expected.pullers, pullers ?? [])
      ? []
      : 'its pullers are others',
  ].flat();
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}
