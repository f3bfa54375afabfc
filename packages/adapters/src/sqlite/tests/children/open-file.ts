import { openSqliteStore } from '../../index.js';

/**
 * Prints `ready`, waits for a line, opens a SQLite file, and prints that it did or the sentence of the
 * refusal. As `nobody`, root becomes a user without rights before.
 */
const [path = '', user = ''] = process.argv.slice(2);
const NOBODY = 65_534;
console.log('ready');
process.stdin.once('data', () => {
  if (user === 'nobody' && process.getuid?.() === 0) process.setuid?.(NOBODY);
  void openSqliteStore({ path })
    .then(async ({ store, close }) => {
      await store.listProjects();
      await close();
      return 'it was opened';
    })
    .catch((error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)))
    .then((said) => {
      console.log(said);
      process.stdin.destroy();
    });
});
