// Heavy: the whole kit of stores, with a file for each test.

import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { storesOnOneFile } from './stores-on-one-file.js';

describe('the Store port on SQLite, with two connections on one file', () => {
  storeConformance(test, () => storesOnOneFile((path) => openSqliteStore({ path })));
});
