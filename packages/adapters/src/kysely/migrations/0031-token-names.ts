/** How the mint of a plan's token called it when the plan was created. */
export const tokenNames: readonly string[] = [`alter table plans add column token_names text`];
