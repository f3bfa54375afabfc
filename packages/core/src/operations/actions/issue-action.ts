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
 * Builds a transaction with which the wallet cancels, resumes or closes, for it to sign and send. Nothing else
 * changes until the confirmation, which asks that a transaction was built (cancel-resume-close#build-then-confirm).
 * `lost`: another call changed the subscription, and nothing was issued.
 */
export async function issueAction(
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
