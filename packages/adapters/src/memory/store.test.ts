import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { createMemoryStore } from './index.js';
import { rawMemory } from './tests/raw-memory.js';

describe('the Store port in memory', () => {
  const open = async () => {
    const store = createMemoryStore();
    return { store, peer: store, raw: rawMemory(store.tables), close: async () => undefined };
  };
  storeConformance(test, open, { volatile: true });
});
