import type { Tier } from '../contract/tiers.js';
import type { TierName } from '../contract/enums.js';
import type { Project } from '../records/index.js';

/** The limits of a project: its own, and its tier's where it has none (seats-and-tiers#tier-limits); null without a limit. */
export function limitsOf(
  { tier, subscriberLimit, publishedPlansLimit }: Project,
  tiers: Readonly<Record<TierName, Tier>>,
): Pick<Tier, 'subscribers' | 'publishedPlans'> {
  const { subscribers, publishedPlans } = tiers[tier];
  return {
    subscribers: subscriberLimit ?? subscribers,
    publishedPlans: publishedPlansLimit ?? publishedPlans,
  };
}
