import type { ExportText } from '../../contract/export-format.js';
import { plusDays, type Project } from '../../records/index.js';
import { displayAmount } from '../../rules/money.js';
import type { Service } from '../../service.js';
import { exportText, ROWS_OF_PART } from '../exports/export-text.js';
import { dateText } from './date-text.js';
import { type FigureRow, type FiguresExport, FIGURE_COLUMNS, type TokenFigures } from './figure-schemas.js';
import { plansOf, readFigureReport, spanOf, startOf } from './figures.js';

/** Writes the figures of a project, the earliest first, as the report has them (payments#exports). */
export async function exportFigures(
  service: Service,
  project: Project,
  { format, by, plan, mint, ...query }: FiguresExport,
): Promise<ExportText> {
  // Both days are decided once, so that an export over midnight has no part twice.
  const { from, to } = spanOf(query, service.clock.now());
  const { size } = await plansOf(service, project, { plan, mint });
  const atOnce = Math.max(1, Math.floor(ROWS_OF_PART / size));
  return exportText(service, format, {
    columns: FIGURE_COLUMNS,
    read: async (first: Date | null) => {
      const since = first ?? from;
      const until = lastDay(since, to, by, atOnce);
      const { data } = await readFigureReport(service, project, {
        ...{ from: dateText(since), to: dateText(until), by, per: 'plan', plan, mint },
      });
      return {
        rows: data.flatMap((row) => row.tokens.map((token) => rowOf(row, token))),
        unreadable: [],
        next: until < to ? plusDays(until, 1) : null,
      };
    },
  });
}

/** The last day of a number of parts, or of the span. */
function lastDay(since: Date, to: Date, by: FiguresExport['by'], parts: number): Date {
  let day = since;
  for (let left = parts; day < to; day = plusDays(day, 1)) {
    const next = plusDays(day, 1);
    if (startOf(next, by).getTime() === next.getTime() && --left === 0) break;
  }
  return day;
}

/** A plan has one token, so what is of the plan is of the row. */
function rowOf(
  { date, plan, fees_lamports, new: began, returned, lost, active, recurring }: FigureRow,
  { mint, symbol, decimals, collected, failed, recovered, mrr }: TokenFigures,
): Readonly<Record<(typeof FIGURE_COLUMNS)[number], string | number | null>> {
  const shown = (amount: string) => displayAmount(BigInt(amount), decimals);
  return {
    ...{ date, plan, symbol, fees_lamports, new: began, returned, lost, active, recurring, decimals, mint },
    collected_count: collected.count,
    collected_display: shown(collected.amount),
    collected_usd: collected.amount_usd,
    unpriced_count: collected.unpriced,
    failed_count: failed.count,
    failed_display: shown(failed.amount),
    recovered_count: recovered.count,
    recovered_display: shown(recovered.amount),
    mrr_display: shown(mrr.amount),
    mrr_usd: mrr.amount_usd,
    collected_amount: collected.amount,
    failed_amount: failed.amount,
    recovered_amount: recovered.amount,
    mrr_amount: mrr.amount,
  };
}
