import type { TestProject } from 'vitest/node';
import { startPostgres } from './index.js';

/** Starts a server for a project of tests whose every store is then on PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresForEveryStore', server.url);
  return () => server.remove();
}
