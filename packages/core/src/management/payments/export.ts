import type { ExportText } from '../../contract/export-format.js';
import { unknownCursor } from '../../operations/pages.js';
import { readKnownTokens } from '../../operations/plans/known-tokens.js';
import type { AttemptId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { exportText, ROWS_OF_PART } from '../exports/export-text.js';
import { paymentFilter, paymentsWire } from './list.js';
import { type PaymentExport, PAYMENT_COLUMNS } from './inputs.js';

/** Writes the payments of a project, newest first (payments#exports). */
export async function exportPayments(
  service: Service,
  project: Project,
  { format, ...input }: PaymentExport,
): Promise<ExportText> {
  const filter = await paymentFilter(service, project, input);
  const tokens = await readKnownTokens(service);
  return exportText(service, format, {
    columns: PAYMENT_COLUMNS,
    read: async (startingAfter: AttemptId | null) => {
      const page = await service.store.searchPayments(project.id, filter, {
        limit: ROWS_OF_PART,
        startingAfter,
      });
      if (page === 'unknown_cursor') throw unknownCursor();
      const { rows, unreadable } = await paymentsWire(service, page.found, tokens);
      return { rows, unreadable: [...page.unreadable, ...unreadable], next: page.next };
    },
  });
}
