import { startPostgres, type PostgresServer } from '@subrail/test-postgres';

/** Starts a server that writes as one in use does: the tests' own keeps nothing through a crash. */
export function startBenchServer(): Promise<PostgresServer> {
  return startPostgres('18', ['fsync=on', 'full_page_writes=on', 'max_wal_size=4GB']);
}
