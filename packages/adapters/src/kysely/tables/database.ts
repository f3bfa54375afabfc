import type { RowOf } from './record-table.js';
import type { attemptTable, signedTermsTable, transferTable } from './charges.js';
import type { chainIdentityTable } from './chain-identity.js';
import type { apiKeyTable, planTable, projectTable } from './projects.js';
import type { subscriptionTable } from './subscriptions.js';
import type { deliveryTable, endpointTable, eventTable } from './webhooks.js';

/** The tables of the store as Kysely types: one column for each field of a record, in snake_case. */
export interface Database {
  chain_identity: RowOf<typeof chainIdentityTable>;
  projects: RowOf<typeof projectTable>;
  api_keys: RowOf<typeof apiKeyTable>;
  plans: RowOf<typeof planTable>;
  subscriptions: RowOf<typeof subscriptionTable>;
  transfers: RowOf<typeof transferTable>;
  attempts: RowOf<typeof attemptTable>;
  signed_terms: RowOf<typeof signedTermsTable>;
  events: RowOf<typeof eventTable> & { position: number | null };
  event_positions: { project_id: string; last: number };
  endpoints: RowOf<typeof endpointTable>;
  deliveries: RowOf<typeof deliveryTable>;
}
