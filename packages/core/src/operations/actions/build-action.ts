import { commitChanges } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import type { BuildRequest, UnsignedTransaction } from '../../ports/index.js';
import type { ChangeAction, BuiltTransaction, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { requireAnswer } from '../read-chain.js';

/**
 * Builds the transaction that cancels, resumes or closes a subscription, and stores that it was built, which
 * a confirmation requires (cancel-resume-close#build-then-confirm). Returns `lost` when another call changed
 * the subscription first.
 */
export async function buildAction(
  service: Service,
  context: SubscriptionContext,
  action: ChangeAction,
  request: BuildRequest,
): Promise<BuildAnswer | 'lost'> {
  const unsigned = requireAnswer(await service.chain.build(request));
  const now = service.clock.now();
  const changes = new SubscriptionChanges(service, context);
  changes.apply({ kind: 'transaction_built', built: builtTransaction(action, unsigned, now) }, now);
  const saved = await saveBuiltTransaction(service, changes);
  return saved === 'lost' ? 'lost' : buildAnswer({ ...unsigned, ...saved.built });
}

/** The record of a transaction that was built for the wallet to sign. */
export function builtTransaction(
  action: BuiltTransaction['action'],
  { transaction, lastValidBlockHeight }: UnsignedTransaction,
  now: Date,
): BuiltTransaction {
  return { action, transaction, lastValidBlockHeight, builtAt: now };
}

/**
 * Commits changes that include a built transaction, and returns the subscription with the transaction to
 * answer with: of racing calls, that of the first. Returns `lost` when another kind of call changed the
 * subscription.
 */
export async function saveBuiltTransaction(
  service: Service,
  changes: SubscriptionChanges,
): Promise<Subscription | 'lost'> {
  const { before, subscription: own } = changes;
  if ((await commitChanges(service, changes)) === 'committed') return own;
  const stored = await service.store.findSubscription(own.projectId, own.id);
  if (stored?.built?.action !== own.built?.action || stored?.status !== own.status) return 'lost';
  const transaction = stored.built?.transaction;
  const justBuilt = transaction !== before.built?.transaction || transaction === own.built?.transaction;
  return justBuilt ? stored : 'lost';
}
