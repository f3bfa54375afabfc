import type { Confirmation, ReasonCode } from '../contract/confirmation';
import { REASONS } from '../contract/confirmation';
import { subscriptionWire } from './subscription';
import type { Service } from '../service';
import type { Held } from '../operations/actions/issue-action';

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
