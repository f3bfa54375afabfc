/** Whether a plan takes one subscription of each customer. */
export const onePerCustomer: readonly string[] = [
  `alter table plans add column one_per_customer integer not null default 0`,
];
