import type { TestProject } from 'vitest/node';
import { NEWEST_MAJOR, OLDEST_MAJOR, startPostgres } from './server.js';

/** Starts the server that all tests of the project share. Each test creates databases of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(project.name === 'postgres-oldest' ? OLDEST_MAJOR : NEWEST_MAJOR);
  project.provide('postgres', server.url);
  return () => server.remove();
}
