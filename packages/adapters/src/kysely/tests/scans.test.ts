import { expect, test } from 'vitest';
import { longScan } from './scans.js';

const sql = 'select 1 from "deliveries" as "next", events as e, (select 1) as "counted"';

test.each([
  ['SCAN subscriptions', 'subscriptions'],
  ['SCAN next', 'deliveries'],
  ['SCAN e', 'events'],
  ['SCAN next USING COVERING INDEX deliveries_project', 'deliveries by deliveries_project'],
  ['SCAN subscriptions USING INDEX subscriptions_seats', 'subscriptions by subscriptions_seats'],
  ['SCAN plans', 'plans'],
  ['SCAN projects USING INDEX sqlite_autoindex_projects_1', 'projects by sqlite_autoindex_projects_1'],
  ['SCAN unknown', 'unknown'],
])('finds that %s is long', (detail, found) => {
  expect(longScan(detail, sql)).toBe(found);
});

test.each([
  'SEARCH subscriptions USING INDEX subscriptions_seats (project_id=?)',
  'SCAN counted',
  'SCAN chain_identity',
  'SCAN audit_entries USING INDEX audit_entries_created',
  'SCAN 5-ROW VALUES CLAUSE',
  'SCAN CONSTANT ROW',
  'SCAN (subquery-4)',
])('leaves alone that %s', (detail) => {
  expect(longScan(detail, sql)).toBeNull();
});

test('takes a table under a name that is also made by others for what it is', () => {
  expect(longScan('SCAN waiting', 'select 1 from "deliveries" as "waiting"')).toBe('deliveries');
});

test('leaves alone a scan of the table that a call may read as a whole', () => {
  expect(longScan('SCAN projects', sql, 'projects')).toBeNull();
  expect(longScan('SCAN plans', sql, 'projects')).toBe('plans');
});
