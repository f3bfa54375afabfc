import type { EndpointId, PlanId, ProjectId, SubscriptionId } from '@subrail/core/ports';
import type { RowOf } from './record-table.js';
import type { attemptTable, refundTable, sellerTable, signedTermsTable, transferTable } from './charges.js';
import type { figureTable, movementTable } from './figures.js';
import type { mailSettingsTable, mailTable, refusedAddressTable } from './mails.js';
import type { auditEntryTable, managementKeyTable } from './management.js';
import type { apiKeyTable, chainIdentityTable, planTable, projectTable } from './projects.js';
import type { linkTable, projectLookTable, sessionSubscriptionTable, sessionTable } from './sessions.js';
import type { subscriptionTable } from './subscriptions.js';
import type { deliveryAttemptTable, deliveryTable, endpointTable, eventTable } from './webhooks.js';

/** The tables as Kysely types: a column for each field of a record, in snake_case. */
export interface Database {
  chain_identity: RowOf<typeof chainIdentityTable>;
  projects: RowOf<typeof projectTable>;
  api_keys: RowOf<typeof apiKeyTable>;
  plans: RowOf<typeof planTable>;
  subscriptions: RowOf<typeof subscriptionTable>;
  /** The dates by which subscriptions are found. Triggers copy them from `subscriptions`. */
  subscription_dates: { subscription_id: SubscriptionId } & Pick<
    RowOf<typeof subscriptionTable>,
    'project_id' | 'plan_id' | 'status' | 'wake_at' | 'next_try_at' | 'access_ends_at'
  >;
  transfers: RowOf<typeof transferTable>;
  /** The project and the plan are those of its subscription, to find attempts by. */
  attempts: RowOf<typeof attemptTable> & { project_id: ProjectId; plan_id: PlanId };
  refunds: RowOf<typeof refundTable>;
  sellers: RowOf<typeof sellerTable>;
  movements: RowOf<typeof movementTable>;
  /** Rows that were added apart have `merged` 0, and rows that cannot be read and were put aside have 2. */
  figures: RowOf<typeof figureTable> & { merged: number };
  project_looks: RowOf<typeof projectLookTable>;
  links: RowOf<typeof linkTable>;
  sessions: RowOf<typeof sessionTable>;
  session_subscriptions: RowOf<typeof sessionSubscriptionTable>;
  mails: RowOf<typeof mailTable>;
  mail_settings: RowOf<typeof mailSettingsTable>;
  refused_addresses: RowOf<typeof refusedAddressTable>;
  signed_terms: RowOf<typeof signedTermsTable>;
  events: RowOf<typeof eventTable> & { position: number | null; latest_at: number | null };
  project_counters: { project_id: string; last_position: number; latest_at: number; last_receipt: number };
  endpoints: RowOf<typeof endpointTable>;
  endpoint_leases: { endpoint_id: EndpointId; until: number };
  deliveries: RowOf<typeof deliveryTable>;
  delivery_attempts: RowOf<typeof deliveryAttemptTable>;
  management_keys: RowOf<typeof managementKeyTable>;
  audit_entries: RowOf<typeof auditEntryTable>;
}
