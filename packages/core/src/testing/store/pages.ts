import type { Page, PageRequest } from '../../ports/store.js';
import { expectThat } from '../expect.js';
import { at } from './fixture.js';

type Read<Row extends { readonly id: string }> = (
  request: PageRequest<Row['id']>,
) => Promise<Page<Row> | 'unknown_cursor'>;

/** Reads a list to its end, where a part names no next place. `between` runs before every further part. */
export async function allParts<Place, Part extends { readonly next: Place | null }>(
  read: (after: Place | null) => Promise<Part>,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (let after: Place | null = null; ;) {
    const part: Part = await read(after);
    parts.push(part);
    if (part.next === null) return parts;
    after = part.next;
    await between();
  }
}

/** Reads a list to its end, two rows a page, and returns the ids. `between` runs before further pages. */
export async function readAllPages<Row extends { readonly id: string }>(
  read: Read<Row>,
  between: () => Promise<void>,
): Promise<Row['id'][]> {
  const seen: Row['id'][] = [];
  for (let startingAfter: Row['id'] | null = null; ;) {
    const page = await read({ limit: 2, startingAfter });
    expectThat(page !== 'unknown_cursor', 'the last row of a page to be a cursor of the list');
    seen.push(...page.data.map((row) => row.id));
    if (!page.hasMore) return seen;
    startingAfter = seen.at(-1) ?? null;
    await between();
  }
}

/** The instants of nine rows, several of which are equal. */
export const INSTANTS = [5, 5, 5, 1, 9, 5, 9, 3, 1].map(at);

/** The ids of rows in the order of every list: newest first, then by id, descending. */
export function newestFirst<Row extends { readonly id: string }>(
  rows: readonly Row[],
  when: (row: Row) => Date,
): Row['id'][] {
  return [...rows]
    .sort((a, b) => when(b).getTime() - when(a).getTime() || (a.id < b.id ? 1 : -1))
    .map((row) => row.id);
}

/** When a row was created. */
export const created = ({ createdAt }: { readonly createdAt: Date }): Date => createdAt;
