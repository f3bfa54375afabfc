/** Lets charges share a transaction, and records the network fee that fell on each. */
export const sharedTransactions: readonly string[] = [
  `alter table transfers add column payment_index integer not null default 0`,
  `alter table transfers add column lamports text`,
  `drop index transfers_signature`,
  `create unique index transfers_signature on transfers (signature, payment_index)`,
];
