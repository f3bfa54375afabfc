import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openFileStore } from '../file-store.js';
import { rawFile } from './raw-file.js';

describe('the Store port on one file', () => {
  storeConformance(test, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'file-store-'));
    const path = join(folder, 'billing.data');
    const store = await openFileStore(path);
    return {
      store,
      // There is one connection, because one process may use a file.
      peer: store,
      raw: rawFile(path),
      reopen: () => openFileStore(path),
      close: async () => rmSync(folder, { recursive: true }),
    };
  });
});
