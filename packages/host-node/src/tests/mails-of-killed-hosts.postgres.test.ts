// Heavy: hosts are processes that are killed while they send.

import { openPostgresStore } from '@subrail/adapters/postgres';
import { emptyDatabase } from '@subrail/test-postgres';
import { inject, onTestFinished, test } from 'vitest';
import { SEED } from './kill/random.js';
import { KILLS, LIMIT_MS, MAILS, sendThroughKills } from './kill/send-through-kills.js';

// mails#same-message-at-every-try
test(
  `hosts on a server that are killed ${KILLS} times while ${MAILS} mails go out lose none, and repeat those in flight at most (seed ${SEED})`,
  async () => {
    const database = await emptyDatabase(inject('postgres'));
    onTestFinished(() => database.drop());
    const { store, close } = await openPostgresStore({ url: database.url });
    onTestFinished(close);
    await sendThroughKills(store, database.url);
  },
  LIMIT_MS,
);
