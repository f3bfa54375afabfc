import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { BuildAnswer } from '../../contract/build.js';
import type { BuildRequest } from '../../ports/index.js';
import type { ChangeAction } from '../../records/index.js';
import type { Service } from '../../service.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { builtTransaction, saveBuiltTransaction } from '../built-transaction.js';
import { requireAnswer } from '../require-answer.js';

/**
 * Builds the transaction that cancels, resumes or closes a subscription, for the wallet to sign and send. It changes
 * nothing else: the confirmation does, and it requires a built transaction (cancel-resume-close#build-then-confirm).
 * Returns `lost` when another call changed the subscription first; nothing is stored then.
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
