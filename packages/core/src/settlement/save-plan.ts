import type { Plan } from '../records/index.js';
import { mayCharge } from '../rules/plan-on-chain.js';
import type { Service } from '../service.js';

/**
 * Stores a plan as read from the chain, and logs what its owner changed. `lost`: another change came first,
 * and the next read decides again.
 */
export async function savePlan(service: Service, before: Plan, after: Plan): Promise<'updated' | 'lost'> {
  const saved = await service.store.updatePlan({ ...after, version: before.version + 1 });
  if (saved === 'updated') logChange(service, before, after);
  return saved;
}

function logChange({ logger, chain }: Service, before: Plan, after: Plan): void {
  const { id, projectId, slug, status, endsAt } = after;
  const facts = { plan: id, project: projectId, slug };
  if (status !== before.status)
    logger.info(
      { ...facts, status },
      'A plan has another status on chain than on record. The record follows.',
    );
  if (endsAt !== null && endsAt.getTime() !== before.endsAt?.getTime())
    logger.info({ ...facts, ends_at: endsAt.toISOString() }, 'The owner of a plan set its end on chain.');
  const [could, can] = [before, after].map((plan) => mayCharge(plan, chain.charger));
  if (could === true && can === false)
    logger.warn(
      { ...facts, charger: chain.charger },
      'A plan no longer lists the charger as a puller. Nothing is charged for it until its owner adds it.',
    );
  if (could === false && can === true) logger.info(facts, 'A plan lists the charger as a puller again.');
}
