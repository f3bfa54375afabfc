/** The name and the end of an API key, an own limit of published plans, and what a project has. */
export const keysAndPlans: readonly string[] = [
  `alter table api_keys add column name text`,
  `alter table api_keys add column expires_at bigint`,
  `create index api_keys_project on api_keys (project_id, created_at, id)`,
  `alter table projects add column published_plans_limit integer`,
  `create index plans_project on plans (project_id, created_at, id)`,
  `create index endpoints_project on endpoints (project_id)`,
];
