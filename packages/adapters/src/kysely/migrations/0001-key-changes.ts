import type { MigrationStep } from './for-engine.js';

/** The channel on which a PostgreSQL database says that an API key or a project was changed. */
export const KEY_CHANGES = 'subrail_key_changes';

const notifying = (name: string, event: string, table: string) =>
  `create trigger ${name} after ${event} on ${table} for each row execute function notify_of_key_changes()`;

/**
 * Lets every connection that listens hear that an API key or a project was changed or deleted, whoever did it: the hosts then read what
 * they keep of them again. The last use of a key, which is written each minute, is no change. Only PostgreSQL has notifications.
 */
export const keyChanges: readonly MigrationStep[] = [
  {
    sqlite: [],
    postgres: [
      `create or replace function notify_of_key_changes() returns trigger language plpgsql as $$ begin perform pg_notify('${KEY_CHANGES}', ''); return null; end $$`,
      notifying('api_keys_changed', 'update of hash, name, expires_at, revoked_at', 'api_keys'),
      notifying('api_keys_deleted', 'delete', 'api_keys'),
      notifying('projects_changed', 'update', 'projects'),
      notifying('projects_deleted', 'delete', 'projects'),
    ],
  },
];
