import type { CreateAnswer } from '../../contract/build.js';
import { toWireDate } from '../../contract/scalars.js';
import { chargeAsk } from '../../engine/row.js';
import { createRecorder } from '../../engine/recorder.js';
import type { Subscription, Terms } from '../../records/index.js';
import { change } from '../../rules/change.js';
import { plus } from '../../rules/grid.js';
import { termsMessage } from '../../rules/terms.js';
import type { Service } from '../../service.js';
import { answered } from '../answered.js';
import { buildAnswer, costsWire } from '../build-answer.js';
import type { Checkout } from './facts-to-sign.js';
import { factsToSign } from './facts-to-sign.js';
import { keepBuilt } from './keep-built.js';
import type { WayIn } from './way-in.js';

/** D12.3: how long an unsigned checkout waits after its last transaction. */
export const PENDING_MS = 30 * 60_000;

/** Contract, Limits. */
const TERMS_MS = 5 * 60_000;

/**
 * Builds a fresh transaction for a pending subscription and hands it out with its terms. The terms keep their text
 * until they expire, are spent, or a fact in them changes (D13.4). `lost` when another call moved the subscription
 * meanwhile: nothing was handed out then.
 */
export async function handOut(
  service: Service,
  checkout: Omit<Checkout, 'recipe'>,
  way: WayIn,
): Promise<CreateAnswer | 'lost'> {
  const { plan, project, subscription, view } = checkout;
  const ask = chargeAsk(plan, subscription.wallet);
  const built = answered(await service.chain.build({ ...ask, recipe: way.recipe, view }));
  const now = service.clock.now();
  const facts = await factsToSign(service, { ...checkout, recipe: way.recipe });
  const terms = standingTerms(subscription, facts, now) ?? newTerms(service, facts, now);
  const handedOut = change(
    subscription,
    {
      kind: 'handed_out',
      built: {
        action: way.recipe,
        transaction: built.transaction,
        lastValidBlockHeight: built.lastValidBlockHeight,
        builtAt: now,
      },
      terms,
      checkoutExpiresAt: plus(now, PENDING_MS),
      email: subscription.email,
    },
    now,
    { plan, tier: service.settings.tiers[project.tier] },
  );
  const commit = await createRecorder(service).commit([handedOut], plan);
  const handed = await keepBuilt(service, subscription, [commit]);
  if (handed === 'lost' || handed.email !== subscription.email) return 'lost';
  const handedTerms = standingTerms(handed, facts, now);
  if (handedTerms === null) return 'lost';
  return {
    subscription: { id: handed.id, status: 'pending' },
    ...buildAnswer({ ...built, ...handed.built }),
    costs: costsWire(built.costs),
    terms: { message: handedTerms.message, expires_at: toWireDate(handedTerms.expiresAt) },
  };
}

function standingTerms({ terms }: Subscription, facts: string, now: Date): Terms | null {
  const stands = terms !== null && terms.spentAt === null && terms.facts === facts && now < terms.expiresAt;
  return stands ? terms : null;
}

function newTerms(service: Service, facts: string, now: Date): Terms {
  const nonce = [...service.random.bytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const expiresAt = plus(now, TERMS_MS);
  return { message: termsMessage(facts, nonce, expiresAt), facts, nonce, expiresAt, spentAt: null };
}
