import type { MigrationStep } from './for-engine.js';

/** The channel of the notifications. */
export const KEY_CHANGES_CHANNEL = 'subrail_key_changes';

const notifying = (name: string, event: string, table: string) =>
  `create trigger ${name} after ${event} on ${table} for each row execute function notify_of_key_changes()`;

/**
 * Notifies listening connections of changed or deleted API keys and projects, so that hosts drop cached keys.
 * Writing the last use of a key, each minute, does not notify. SQLite has no notifications.
 */
export const keyChanges: readonly MigrationStep[] = [
  {
    sqlite: [],
    postgres: [
      `create or replace function notify_of_key_changes() returns trigger language plpgsql as $$ begin perform pg_notify('${KEY_CHANGES_CHANNEL}', ''); return null; end $$`,
      notifying('api_keys_changed', 'update of hash, name, expires_at, revoked_at', 'api_keys'),
      notifying('api_keys_deleted', 'delete', 'api_keys'),
      notifying('projects_changed', 'update', 'projects'),
      notifying('projects_deleted', 'delete', 'projects'),
    ],
  },
];
