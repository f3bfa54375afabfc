import type { BuildAnswer } from '../../contract/build.js';
import { createRecorder } from '../../engine/recorder.js';
import { Row } from '../../engine/row.js';
import type { BuildAsk } from '../../ports/index.js';
import type { ChangeAction, Plan, Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';
import { answered } from '../answered.js';
import { buildAnswer } from '../build-answer.js';
import { keepBuilt } from './keep-built.js';

/** A subscription with what it belongs to. */
export interface Held {
  readonly project: Project;
  readonly plan: Plan;
  readonly subscription: Subscription;
}

/**
 * Builds a transaction that changes a subscription on chain, for its wallet to sign and send. Nothing else changes until the
 * confirmation, which asks for a transaction having been built (D12, confirms). `lost` when another call moved the
 * subscription meanwhile: nothing was handed out then.
 */
export async function handOutAction(
  service: Service,
  held: Held,
  action: ChangeAction,
  ask: BuildAsk,
): Promise<BuildAnswer | 'lost'> {
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
  const handed = await keepBuilt(service, held.subscription, await row.commits(createRecorder(service)));
  return handed === 'lost' ? 'lost' : buildAnswer({ ...built, ...handed.built });
}
