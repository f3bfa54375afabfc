/**
 * The confirmed subscriptions of a wallet, of every project. Checkouts are left out: anyone can start them for any wallet.
 */
export const paidByWallet: readonly string[] = [
  `create index subscriptions_paid_by_wallet on subscriptions (wallet, created_at, id)
    where confirmed_at is not null`,
];
