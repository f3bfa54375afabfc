import { expect, test } from 'vitest';
import type { PlanNode } from './explaining-driver.js';
import { problemsOf } from './postgres-problems.js';

const node = (type: string, given: Partial<PlanNode> = {}): PlanNode => ({
  ...{
    'Node Type': type,
    'Actual Rows': 10,
    'Actual Loops': 1,
    'Shared Hit Blocks': 40,
    'Shared Read Blocks': 0,
  },
  ...given,
});
const byIndex = (index: string, condition?: string, given: Partial<PlanNode> = {}) =>
  node('Index Scan', {
    ...{ 'Relation Name': 'subscriptions', 'Index Name': index },
    ...(condition === undefined ? {} : { 'Index Cond': condition }),
    ...given,
  });
const under = (type: string, below: PlanNode) => node(type, { Plans: [below] });

test('a search by the first column of an index is right', () => {
  expect(
    problemsOf(byIndex('subscriptions_status', "((project_id = $1) AND (status = 'unpaid'::text))")),
  ).toEqual([]);
  expect(
    problemsOf(byIndex('subscription_dates_wake', '(ROW(wake_at, subscription_id) > ROW($1, $2))')),
  ).toEqual([]);
});

test('a search by a later column alone walks the whole index', () => {
  expect(problemsOf(byIndex('subscriptions_status', "(status = 'unpaid'::text)"))).toEqual([
    "walks subscriptions_status by (status = 'unpaid'::text), which is not by project_id",
  ]);
});

test('an index without a condition is walked as far as the limit, and otherwise to its end', () => {
  const walk = byIndex('subscription_dates_wake');
  expect(problemsOf(under('Limit', walk))).toEqual([]);
  expect(problemsOf(under('Limit', under('LockRows', walk)))).toEqual([]);
  expect(problemsOf(under('Limit', under('Sort', walk)))).toEqual(['walks subscription_dates_wake']);
  expect(problemsOf(under('Aggregate', walk))).toEqual(['walks subscription_dates_wake']);
});

test('no table is scanned that may grow, unless the call may read all of it', () => {
  for (const table of ['projects', 'plans', 'api_keys', 'endpoints', 'management_keys'])
    expect(problemsOf(node('Seq Scan', { 'Relation Name': table }))).toEqual([`scans ${table}`]);
  expect(problemsOf(node('Seq Scan', { 'Relation Name': 'chain_identity' }))).toEqual([]);
  const projects = node('Seq Scan', { 'Relation Name': 'projects' });
  expect(problemsOf(projects, { readWhole: 'projects' })).toEqual([]);
  expect(problemsOf(projects, { readWhole: 'plans' })).toEqual(['scans projects']);
});

test('more blocks than rows explain are refused, also where a project may have many rows', () => {
  const condition = '(project_id = $1)';
  const far = byIndex('subscriptions_status', condition, { 'Shared Hit Blocks': 400 });
  expect(problemsOf(far, { growsWithProject: true })).toEqual(['reads 400 blocks for 10 rows']);
  const many = byIndex('subscriptions_status', condition, { 'Actual Rows': 3_000 });
  expect(problemsOf(many)).toEqual(['reads 3000 rows by subscriptions_status']);
  expect(problemsOf(many, { growsWithProject: true })).toEqual([]);
});
