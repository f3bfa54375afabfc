import type { ExaminedSubscription, Finding } from './finding.js';

/**
 * Notes a customer who pays for a plan with several wallets, at the newest of those subscriptions. It may be meant, so it is
 * nothing that should be impossible.
 */
export function noteSecondWallet({
  subscription: { id, createdAt },
  chargedBeside,
}: ExaminedSubscription): readonly Finding[] {
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

/** What is done about a customer who pays for a plan with several wallets. */
export const SECOND_WALLET =
  'When this is not meant, have the customer cancel all but one, and set one_per_customer on the plan, which refuses the next.';
