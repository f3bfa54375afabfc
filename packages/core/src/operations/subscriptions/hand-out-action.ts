import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import { createRecorder } from '../../engine/recorder.js';
import { Row } from '../../engine/row.js';
import type { BuildAsk } from '../../ports/index.js';
import type { ChangeAction, Plan, Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { answered } from '../answered.js';
import { buildAnswer } from '../build-answer.js';

/** A subscription with what it belongs to. */
export interface Held {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/**
 * Builds a transaction that changes a subscription on chain, for its wallet to sign and send. Nothing else changes until the
 * confirmation, which asks for a transaction having been built (D12, confirms).
 */
export async function handOutAction(
  service: Service,
  held: Held,
  action: ChangeAction,
  ask: BuildAsk,
): Promise<BuildAnswer> {
  const built = answered(await service.chain.build(ask));
  const now = service.clock.now();
  const transfer = await service.store.findOpenTransfer(held.subscription.id);
  const row = new Row(service, { ...held, transfer });
  row.apply(
    {
      kind: 'built',
      built: {
        action,
        transaction: built.transaction,
        lastValidBlockHeight: built.lastValidBlockHeight,
        builtAt: now,
      },
    },
    now,
  );
  const commits = await row.commits(createRecorder(service));
  if ((await service.store.commit(commits)) === 'lost') throw new ServiceError('subscription_changed');
  return buildAnswer(built);
}
