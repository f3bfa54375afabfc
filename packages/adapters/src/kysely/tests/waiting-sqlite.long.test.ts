// Heavy: the whole kit of stores, with a file for each test.

import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { storesOnOneFile } from '../../sqlite/tests/stores-on-one-file.js';
import { openWaitingSqlite } from './waiting-sqlite.js';

describe("the Store port on Kysely's own dialect of SQLite, with two connections on one file", () => {
  storeConformance(test, () => storesOnOneFile(openWaitingSqlite));
});
