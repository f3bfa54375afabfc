import type { Tier } from '../contract/tiers.js';
import type { TierName } from '../contract/enums.js';
import type { Project } from '../records/index.js';

/** The limits of a project, by default its tier's (seats-and-tiers#tier-limits); null without a limit. */
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
