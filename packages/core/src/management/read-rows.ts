import type { UnreadableRecord, Page, PageRequest } from '../ports/index.js';
import type { Service } from '../service.js';

/** Logs the records that the store cannot read, so that the answer goes on without them, and returns their ids. */
export function setAside(
  { logger }: Service,
  unreadable: readonly UnreadableRecord[],
  what: string,
): string[] {
  return unreadable.map(({ id, error }) => {
    logger.error({ record: id, err: error }, `${what}, because the store cannot read it.`);
    return id;
  });
}

/** The rows of a list as far as it was read. */
interface ReadRows<Row> {
  readonly rows: readonly Row[];
  /** Whether more rows follow. */
  readonly hasMore: boolean;
}

/**
 * Reads a list a page at a time, until `isEnough` says so of what was read, or to its end. A row that is deleted meanwhile is no
 * cursor any more: then what was read until then is all.
 */
export async function readPages<Row extends { readonly id: Id }, Id extends string>(
  limit: number,
  read: (page: PageRequest<Id>) => Promise<Page<Row> | 'unknown_cursor'>,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<ReadRows<Row>> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ limit, startingAfter: rows.at(-1)?.id ?? null });
    if (page === 'unknown_cursor') return { rows, hasMore: false };
    rows.push(...page.data);
    if (!page.hasMore || isEnough(rows)) return { rows, hasMore: page.hasMore };
  }
}
