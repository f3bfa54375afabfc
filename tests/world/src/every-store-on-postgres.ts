import { startPostgres } from '@subrail/test-postgres';
import type { TestProject } from 'vitest/node';

/** Starts a server for a project of tests whose every store is then on PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('everyStore', { kind: 'postgres', server: server.url });
  return () => server.remove();
}
