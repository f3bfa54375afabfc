/**
 * Keeps whether the notice of the next renewal was raised, and finds the attempts of the last hour that have no price. A
 * subscription that is stored already gets its first notice in the period that it pays next.
 */
export const renewalNotices: readonly string[] = [
  `alter table subscriptions add column renewal_notice_not_before bigint`,
  `create index attempts_unpriced on attempts (attempted_at, id) where amount_usd is null`,
];
