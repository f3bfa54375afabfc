import type { Confirmation } from '../../contract/confirmation.js';
import { REASONS } from '../../contract/confirmation.js';
import type { Plan, Project } from '../../records/index.js';
import { subscriptionWire } from '../../rules/subscription-wire.js';
import type { Service } from '../../service.js';
import type { AwaitedCheckout } from './await-checkout.js';

/** What a submit answers once the waiting is over (D12). */
export function submitAnswer(
  service: Service,
  project: Project,
  plan: Plan,
  { subscription, transfer }: AwaitedCheckout,
): Confirmation {
  const tier = service.settings.tiers[project.tier];
  const wire = subscriptionWire(subscription, plan, tier, service.clock.now());
  const code = transfer.state === 'open' ? 'nothing_landed' : transfer.reasonCode;
  return code === null
    ? { subscription: wire }
    : { subscription: wire, reason: REASONS[code], reason_code: code };
}
