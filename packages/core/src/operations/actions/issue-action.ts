import type { BuildAnswer } from '../../contract/build.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { BuildRequest } from '../../ports/index.js';
import type { ChangeAction, Plan, Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../require-answer.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { saveBuiltTransaction } from '../save-built-transaction.js';

/** A subscription with what it belongs to. */
export interface Held {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/**
 * Builds a transaction that changes a subscription on chain, for its wallet to sign and send. Nothing else changes until the
 * confirmation, which asks for a transaction having been built (checkout#order-of-create-refusals, confirms). `lost` when another call moved the
 * subscription meanwhile: nothing was handed out then.
 */
export async function issueAction(
  service: Service,
  held: Held,
  action: ChangeAction,
  ask: BuildRequest,
): Promise<BuildAnswer | 'lost'> {
  const built = requireAnswer(await service.chain.build(ask));
  const now = service.clock.now();
  const transfer = await service.store.findOpenTransfer(held.subscription.id);
  const row = new SubscriptionChanges(service, { ...held, transfer });
  row.apply(
    {
      kind: 'transaction_built',
      built: {
        action,
        transaction: built.transaction,
        lastValidBlockHeight: built.lastValidBlockHeight,
        builtAt: now,
      },
    },
    now,
  );
  const handed = await saveBuiltTransaction(service, held.subscription, await row.commits(createCommitBuilder(service)));
  return handed === 'lost' ? 'lost' : buildAnswer({ ...built, ...handed.built });
}
