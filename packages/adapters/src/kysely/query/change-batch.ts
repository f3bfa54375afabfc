import type { Batch } from '@subrail/core/ports';

export interface BatchRow<Id extends string> {
  readonly id: Id;
  /** The date that orders the batch. */
  readonly at: number | null;
  /** Whether the record must not be changed. */
  readonly stays: boolean | number;
}

/** Changes the records of a batch that do not stay, and says where the next batch begins. */
export async function changeBatch<Id extends string>(
  rows: readonly BatchRow<Id>[],
  limit: number,
  change: (ids: readonly Id[]) => Promise<number>,
): Promise<Batch> {
  const ids = rows.filter(({ stays }) => !stays).map(({ id }) => id);
  const changed = ids.length === 0 ? 0 : await change(ids);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { changed, next: last === undefined ? null : { at: new Date(last.at ?? 0), id: last.id } };
}
