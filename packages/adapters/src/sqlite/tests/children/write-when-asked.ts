import { aProject } from '@subrail/core/testing';
import { openSqliteStore } from '../../index.js';

/**
 * Opens a SQLite file and prints `ready`. At each line it writes a project, and prints the count or the
 * error.
 */
const [path = ''] = process.argv.slice(2);
const { store } = await openSqliteStore({ path });
const saying = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
console.log('ready');
process.stdin.on('data', () => {
  void store
    .insertProject(aProject())
    .then(async () => `${(await store.listProjects()).length} projects`)
    .catch(async (error: unknown) => `${(await store.listProjects()).length} projects, ${saying(error)}`)
    .then((said) => console.log(said));
});
