import type { UnreadableRecord, Page, PageRequest } from '../ports/index.js';
import type { Service } from '../service.js';

/** Logs records that the store cannot read, and returns their ids: the answer goes on without them. */
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
  readonly hasMore: boolean;
}

/**
 * Reads a list page by page until `isEnough`, or to its end, which is also where a cursor was deleted
 * meanwhile.
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
