import type { TestProject } from 'vitest/node';
import { POSTGRES_MAJORS, startPostgres, type PostgresMajor } from './index.js';

/** Starts the servers that all tests of the project share, each of which creates databases of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(POSTGRES_MAJORS.map((major) => startPostgres(major)));
  const urls = POSTGRES_MAJORS.map((major, index) => [major, servers[index]?.url] as const);
  project.provide('postgres', Object.fromEntries(urls) as Record<PostgresMajor, string>);
  return async () => {
    await Promise.all(servers.map((server) => server.remove()));
  };
}
