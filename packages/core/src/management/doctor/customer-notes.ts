import type { ExaminedSubscription } from './examined-subscription.js';
import type { FindingWire } from './schemas.js';

/**
 * Notes, at the newest subscription, a customer who pays for a plan with several wallets, which may be meant.
 */
export function noteSecondWallet({
  subscription: { id, createdAt },
  chargedBeside,
}: ExaminedSubscription): readonly FindingWire[] {
  const isNewest = chargedBeside.every(
    (other) =>
      other.createdAt < createdAt || (other.createdAt.getTime() === createdAt.getTime() && other.id < id),
  );
  if (chargedBeside.length === 0 || !isNewest) return [];
  return [
    {
      check: 'customers_pay_with_one_wallet',
      rows: [id, ...chargedBeside.map((other) => other.id)],
      what: `A customer pays for the same plan with ${chargedBeside.length + 1} wallets, once for each.`,
      remedy: SECOND_WALLET,
    },
  ];
}

export const SECOND_WALLET =
  'When this is not meant, have the customer cancel all but one, and set one_per_customer on the plan, which refuses the next.';
