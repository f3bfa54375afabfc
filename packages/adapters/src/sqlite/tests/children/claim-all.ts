import { openSqliteStore } from '../../index.js';

/**
 * Prints `ready`, waits for a line, claims every subscription of a SQLite file that is due at an instant, and
 * prints the ids as JSON.
 */
const [path = '', now = ''] = process.argv.slice(2);
const { store, close } = await openSqliteStore({ path });
console.log('ready');
process.stdin.once('data', () => {
  void (async () => {
    const ids: string[] = [];
    for (;;) {
      const { claimed } = await store.claimDue(new Date(now), 7, 60_000);
      if (claimed.length === 0) break;
      ids.push(...claimed.map(({ subscription }) => subscription.id));
    }
    await close();
    console.log(JSON.stringify(ids));
    process.stdin.destroy();
  })();
});
