import type { Answer, ChargeView } from '../ports/index.js';
import type { Service } from '../service.js';
import { readViews } from './read-views.js';
import type { Row } from './row.js';

/**
 * Reads what stands on chain after first payments landed. One that reads as gone is read again at `finalized`, where alone it
 * counts (D11.3): a payment that was made is not to be called failed on the word of a node that lags.
 */
export async function landedViews(
  service: Service,
  rows: readonly Row[],
): Promise<ReadonlyMap<Row, Answer<ChargeView>>> {
  const views = new Map(await readViews(service, rows, 'confirmed'));
  const gone = rows.filter((row) => {
    const answer = views.get(row);
    return answer?.ok === true && answer.value.subscription === null;
  });
  for (const [row, answer] of await readViews(service, gone, 'finalized')) views.set(row, answer);
  return views;
}
