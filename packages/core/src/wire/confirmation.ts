import type { Confirmation, ReasonCode } from '../contract/confirmation.js';
import { REASONS } from '../contract/confirmation.js';
import { subscriptionWire } from './subscription.js';
import type { Service } from '../service.js';
import type { Held } from '../operations/actions/issue-action.js';

/** Contract, Confirmation answer: `reason` and `reason_code` are present together, and only when there is a code. */
export function confirmation(
  service: Service,
  { project, plan, subscription }: Held,
  code: ReasonCode | null,
): Confirmation {
  const tier = service.settings.tiers[project.tier];
  const wire = subscriptionWire(subscription, plan, tier, service.clock.now());
  return code === null
    ? { subscription: wire }
    : { subscription: wire, reason: REASONS[code], reason_code: code };
}
