import { expect, it } from 'vitest';

import { STORE_CAPABILITIES, STORE_METHODS } from './tiers.js';

it('asks of every store for 45 methods at most, and for each method once', () => {
  expect(STORE_METHODS.Store.length).toBeLessThanOrEqual(45);
  const all = Object.values(STORE_METHODS).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(STORE_CAPABILITIES).toEqual([
    'WalletStore',
    'SessionStore',
    'ManagementStore',
    'ReportStore',
    'FigureStore',
    'MailStore',
    'RetentionStore',
  ]);
});
