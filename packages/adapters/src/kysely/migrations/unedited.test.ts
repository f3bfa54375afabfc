import { expect, test } from 'vitest';
import { postgresTraits } from '../../postgres-engine.js';
import { sqliteTraits } from '../../sqlite-engine.js';
import { fingerprint } from '../migrate.js';

/**
 * The hash of each migration for SQLite and for PostgreSQL. Lines are added and never changed: a database that ran a migration which was
 * edited since is refused. So the tests of earlier schemas, which run the first ones of this list, make what those releases made.
 */
const HASHES: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  '0001_initial': ['1a5222c71a7932ee', 'e702d1efd80a1623'],
  '0002_expired_checkouts': ['ae6357b742c4c9e3', 'ae6357b742c4c9e3'],
  '0003_plain_names': ['81a8afb0c0b80509', '81a8afb0c0b80509'],
  '0004_chain_identity': ['c257e0c9b3274ce4', '0a1a2be7d77f416a'],
  '0005_shared_claims': ['8d88a18d8ffccb79', '8d88a18d8ffccb79'],
  '0006_access_dates': ['b3a01e038159f188', 'b3a01e038159f188'],
  '0007_parked_and_late': ['f95ce9d0f651f75d', 'f95ce9d0f651f75d'],
  '0008_chain_checks': ['0165c3be0658e7f7', '2485a8e6dd34bd7b'],
  '0009_shared_transactions': ['4b2b6202729ca7c5', '169540fcdb1d4916'],
  '0010_renewal_notices': ['81a38f573127707d', '81a38f573127707d'],
  '0011_access_ends': ['eb99693d541ee079', 'eb99693d541ee079'],
  '0012_delivery_log': ['e11b14e2e774345f', '8f5480e0a25a2d9c'],
  '0013_event_positions': ['9bcb66c3a64890de', 'd5f0250c8bbe4ebc'],
  '0014_retention': ['8312118ba28171f0', '8312118ba28171f0'],
  '0015_held_events': ['b6be2e845b6f61a2', 'b1bba661d0a312f0'],
  '0017_management': ['bac38cef8e187c03', '351e608d0fc16adb'],
  '0018_searches': ['f4a6dee50fd9c2ca', 'f4a6dee50fd9c2ca'],
  '0019_reports': ['0fe813e2c0a32313', '4bae443136a2eda8'],
  '0020_keys_and_plans': ['aa5ba22e69dd2d30', '59927fa11a85629d'],
  '0022_paid_by_wallet': ['b3f6fab9f74ef57c', 'b3f6fab9f74ef57c'],
  '0023_rate_windows': ['589bacbdaa58c3d4', '155f5017da99ab0b'],
  '0024_deliveries_of_endpoint': ['7b6beed075791d90', '7b6beed075791d90'],
  '0025_subscription_dates': ['ce2cf4a7031c4248', '0a23db88fd14e9b4'],
  '0026_parked_in_order': ['e76d1d2897b22a55', 'e76d1d2897b22a55'],
  '0027_key_changes': ['e3b0c44298fc1c14', '2e033f8eb76739bd'],
  '0028_ends_of_lists': ['aa4a59297263c695', 'aa4a59297263c695'],
  '0029_envelopes': ['1b77a0ba7c33ebb0', '312d03f1675bb3be'],
  '0030_one_per_customer': ['d268f41c051d4e83', 'd268f41c051d4e83'],
  '0031_token_names': ['2cc43e2d7437ed91', '79fd6ab5918dd480'],
};

test('no migration was edited', async () => {
  const names = async (traits: Parameters<typeof fingerprint>[0]) => Object.keys(await fingerprint(traits));
  const hashed = (engine: 0 | 1) =>
    Object.entries(HASHES).map(([name, hashes]) => `${name}#${hashes[engine]}`);
  expect(await names(sqliteTraits)).toEqual(hashed(0));
  expect(await names(postgresTraits)).toEqual(hashed(1));
});
