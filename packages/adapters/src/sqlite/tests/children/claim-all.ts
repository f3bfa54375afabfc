import { openSqliteStore } from '../../index.js';

/** Claims everything due in a file, once told to go, and prints the ids of what it got. */
const [path = '', now = ''] = process.argv.slice(2);
const { store, close } = await openSqliteStore({ path });
console.log('ready');
process.stdin.once('data', () => {
  void (async () => {
    const ids: string[] = [];
    for (;;) {
      const claimed = await store.claimDue(new Date(now), 7, 60_000);
      if (claimed.length === 0) break;
      ids.push(...claimed.map(({ subscription }) => subscription.id));
    }
    await close();
    console.log(JSON.stringify(ids));
    process.stdin.destroy();
  })();
});
