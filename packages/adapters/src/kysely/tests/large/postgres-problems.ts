import { schemaIndexes } from '../../migrations/indexes.js';
import { SMALL } from '../scans.js';
import type { PlanNode } from './explaining-driver.js';

/** A statement of a page or a batch of 200 reads this many rows; a step of a search looks at 1,000. */
const MOST_ROWS = 2_500;

/** Pages of memory or disk that a statement reads: at least, and for each row. */
const BLOCKS = 200;
const BLOCKS_OF_ROW = 15;

/** The same of a statement that writes, which may change every index of a table for each of its rows. */
const BLOCKS_TO_WRITE = 1_000;
const BLOCKS_OF_WRITTEN_ROW = 60;

/** Indexes that are read as a whole without a limit, and why each is small. */
const READ_WHOLE: Readonly<Record<string, string>> = {
  events_held: 'only the held events, which are few and soon released',
  figures_to_merge: 'only the figures that are not merged, which a pass merges every ten seconds',
};

/** The first column of each index, by which a search of it begins; that of an expression is left out. */
const FIRST_COLUMN: ReadonlyMap<string, string> = new Map(
  schemaIndexes().flatMap(({ name, create }) => {
    const [, column] = /\(\s*(\w+)\s*[,)]/.exec(create) ?? [];
    return column === undefined ? [] : [[name, column]];
  }),
);

/** What a call may do that others may not. */
export interface Allowed {
  /** It counts what a project has, and may read more rows the larger that is. */
  readonly growsWithProject?: boolean;
  /** A table of which it may read all rows. */
  readonly readWhole?: string | null;
}

/** What is wrong with how PostgreSQL ran a statement. */
export function problemsOf(
  plan: PlanNode,
  { growsWithProject = false, readWhole = null }: Allowed = {},
): readonly string[] {
  const nodes = nodesOf(plan);
  const rows = Math.max(
    ...nodes.map(
      ({ node }) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ),
  );
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const writes = nodes.some(({ node }) => node['Node Type'] === 'ModifyTable');
  const mostBlocks = writes ? BLOCKS_TO_WRITE + BLOCKS_OF_WRITTEN_ROW * rows : BLOCKS + BLOCKS_OF_ROW * rows;
  const indexes = nodes.map(({ node }) => node['Index Name']).filter((index) => index !== undefined);
  return [
    ...nodes.flatMap(({ node, parents }) => longReadOf(node, parents, readWhole) ?? []),
    ...(rows > MOST_ROWS && !growsWithProject ? [`reads ${rows} rows by ${indexes.join(' and ')}`] : []),
    ...(blocks > mostBlocks ? [`reads ${blocks} blocks for ${rows} rows`] : []),
  ];
}

/** The sentence about a node that reads from beginning to end what may be long; null for any other node. */
function longReadOf(node: PlanNode, parents: readonly string[], readWhole: string | null): string | null {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' } = node;
  const { 'Relation Name': table = '' } = node;
  if (table in SMALL || table === readWhole) return null;
  if (type === 'Seq Scan') return `scans ${table}`;
  // Of the index of a primary key no more is known here than that a condition names a column of it.
  if (index === undefined || (index.endsWith('_pkey') && condition !== '')) return null;
  const first = FIRST_COLUMN.get(index);
  if (first !== undefined && new RegExp(`\\b${first}\\b`).test(condition)) return null;
  // In the order of the index, it ends at the limit.
  const [parent] = parents.filter((one) => one !== 'LockRows');
  if (parent === 'Limit' || index in READ_WHOLE) return null;
  return condition === ''
    ? `walks ${index}`
    : `walks ${index} by ${condition}, which is not by ${first ?? 'its beginning'}`;
}

/** A node and those below it, each with the types of the nodes above, from its own parent on. */
function nodesOf(
  node: PlanNode,
  parents: readonly string[] = [],
): readonly { readonly node: PlanNode; readonly parents: readonly string[] }[] {
  const below = (node.Plans ?? []).flatMap((one) => nodesOf(one, [node['Node Type'], ...parents]));
  return [{ node, parents }, ...below];
}
