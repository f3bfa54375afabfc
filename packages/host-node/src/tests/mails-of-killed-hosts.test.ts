// Heavy: hosts are processes that are killed while they send.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { onTestFinished, test } from 'vitest';
import { SEED } from './kill/random.js';
import { KILLS, LIMIT_MS, MAILS, sendThroughKills } from './kill/send-through-kills.js';

// mails#same-message-at-every-try
test(
  `hosts on a file that are killed ${KILLS} times while ${MAILS} mails go out lose none, and repeat those in flight at most (seed ${SEED})`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subrail-mails-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'subrail.sqlite');
    const { store, close } = await openSqliteStore({ path });
    onTestFinished(close);
    await sendThroughKills(store, path);
  },
  LIMIT_MS,
);
