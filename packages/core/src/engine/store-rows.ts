import type { Service } from '../service.js';
import { expireOthers } from './expire-others.js';
import type { Recorder } from './recorder.js';
import type { Row } from './row.js';

/** Commits every row by itself: one that was moved on meanwhile is left to whoever moved it. */
export async function storeRows(
  service: Service,
  recorder: Recorder,
  rows: readonly Row[],
): Promise<ReadonlySet<Row>> {
  const stored = new Set<Row>();
  for (const row of rows) {
    try {
      const commits = [await row.commit(recorder), ...(await expireOthers(service, recorder, row))];
      if ((await service.store.commit(commits)) === 'committed') stored.add(row);
    } catch (cause) {
      service.logger.error(
        { subscription: row.subscription.id, cause },
        'A subscription could not be written; it is worked on again when its lease ends.',
      );
    }
  }
  return stored;
}
