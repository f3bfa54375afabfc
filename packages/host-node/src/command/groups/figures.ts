import type { CohortReport, FigureReport, Rebuilt } from '@subrail/core/schemas';
import { inTokens } from '../../demo/format-amount.js';
import type { Group } from '../command-tree.js';
import { addManaged, leftOut } from '../managed.js';
import { oneOf, text, whole } from '../option.js';
import { details, rowsTable, table } from '../table.js';
import type { Terminal } from '../terminal.js';

const COLUMNS = 'date plan collected usd failed recovered new returned lost churn active mrr mrr_usd'.split(
  ' ',
);

/** The span, the parts and the filters of figures, in a table and in an export. */
export const FIGURE_OPTIONS = {
  from: text('date', 'the first day, in place of --days'),
  days: whole('count', 'how many days until the last, 1 to 1096; 30 without it'),
  to: text('date', 'the last day; today without it'),
  by: oneOf(['day', 'week', 'month'], 'how long the parts are; a day without it'),
  plan: text('slug', 'one plan; all without it'),
  mint: text('address', "one token, by its mint's address; all without it"),
};

/** The figures of each day: `subrail figures`, `subrail cohorts` and `subrail rebuild-figures`. */
export function addFigureCommands(root: Group): void {
  addManaged(root, {
    usage: 'figures',
    about:
      'Sum up days, weeks or months: what was collected, failed and recovered, who came and went and why, what retries brought, and monthly recurring revenue (MRR). Days are in UTC.',
    example: 'subrail figures --from 2026-01-01 --by month',
    operations: ['reports.figures'],
    options: {
      ...FIGURE_OPTIONS,
      per: oneOf(['project', 'plan'], 'one row for the project or for each plan; the project without it'),
    },
    run: async ({ project, options }) => (await project()).reports.figures(options),
    shown: (report, { terminal }) => showFigures(report, terminal),
  });
  addManaged(root, {
    usage: 'cohorts',
    about: 'Show of those who began in each month how many still run at the end of each later one.',
    example: 'subrail cohorts --months 6',
    operations: ['reports.cohorts'],
    options: {
      plan: text('slug', 'one plan; all without it'),
      months: whole('count', 'how many months, 1 to 36; 12 without it'),
    },
    run: async ({ project, options }) => (await project()).reports.cohorts(options),
    shown: ({ data }, { terminal }) => showCohorts(data, terminal),
  });
  addManaged(root, {
    usage: 'rebuild-figures',
    about:
      'Count the figures of every day anew from the attempts, movements and due charges that are stored, and replace those that differ: after the database was changed by hand. Hosts may run.',
    example: 'subrail rebuild-figures',
    operations: ['reports.rebuild'],
    options: { from: text('date', 'the day to begin with; the first without it') },
    async run({ project, bar, options }) {
      const { reports } = await project();
      let all: Rebuilt = await reports.rebuild(options);
      let days = daysOf(all);
      while (all.next !== null) {
        bar(days, days + all.left, all.to);
        const part = await reports.rebuild({ from: all.next });
        days += daysOf(part);
        all = {
          ...part,
          from: all.from,
          changed: all.changed + part.changed,
          unreadable: [...all.unreadable, ...part.unreadable],
        };
      }
      bar(days, days, all.to);
      return all;
    },
    shown: ({ from, to, changed, unreadable }) =>
      `Counted ${from} to ${to} anew. ${changed === 0 ? 'No day differed' : `Days that differed: ${changed}`}.\n${leftOut(unreadable)}`,
  });
}

function daysOf({ from, to }: Rebuilt): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
}

type Row = FigureReport['data'][number];

/** The amounts of tokens, such as `12.5 USDC + 3 BONK`; with several, a mint stands for a missing symbol. */
function amounts(tokens: Row['tokens'], amountOf: (token: Row['tokens'][number]) => string): string | null {
  if (tokens.length === 0) return null;
  return tokens
    .map((token) => {
      const unit = token.symbol ?? (tokens.length === 1 ? null : token.mint);
      const amount = inTokens(BigInt(amountOf(token)), token.decimals);
      return unit === null ? amount : `${amount} ${unit}`;
    })
    .join(' + ');
}

function cells(row: Pick<Row, 'tokens' | 'churn_rate'>) {
  const { tokens } = row;
  const count = tokens.reduce((sum, { collected }) => sum + collected.count, 0);
  const unpriced = tokens.reduce((sum, { collected }) => sum + collected.unpriced, 0);
  const usd = tokens.reduce((sum, { collected }) => sum + Number(collected.amount_usd), 0);
  return {
    ...row,
    collected: amounts(tokens, ({ collected }) => collected.amount),
    // Collected without any price is not the same as no dollars collected.
    usd: unpriced === count ? null : usd.toFixed(2),
    failed: amounts(tokens, ({ failed }) => failed.amount),
    recovered: amounts(tokens, ({ recovered }) => recovered.amount),
    mrr: amounts(tokens, ({ mrr }) => mrr.amount),
    churn: percent(row.churn_rate),
  };
}

function showFigures({ from, to, data, total }: FigureReport, terminal: Terminal): string {
  const columns = COLUMNS.filter((name) => name !== 'plan' || data.some(({ plan }) => plan !== null));
  const causes = [
    ...total.failure_causes.map(({ outcome, reason, count }) => [`charge ${outcome}`, reason, count]),
    ...total.lapsed_causes.map(({ reason, count }) => ['recurs no more', reason, count]),
    ...total.lost_causes.map(({ reason, count }) => ['lost', reason, count]),
  ];
  const retries = total.retries.map(({ number, paid, failed, rate }) => [
    number ?? 'by hand',
    paid,
    failed,
    percent(rate),
  ]);
  const sums = cells(total);
  return (
    `${rowsTable(terminal, columns, data.map(cells))}\n` +
    `From ${from} to ${to}:\n${details(terminal, [
      ['collected', sums.collected],
      ['usd', sums.usd],
      ['failed', sums.failed],
      ['recovered', `${sums.recovered ?? '-'} (${percent(total.recovery_rate)} of the failed periods)`],
      ['new, returned, lost', `${total.new}, ${total.returned}, ${total.lost}`],
      ['churn', sums.churn],
      ['fees in SOL', inTokens(BigInt(total.fees_lamports), 9)],
    ])}` +
    (causes.length === 0 ? '' : `\n${table(terminal, ['what', 'why', 'count'], causes)}`) +
    (retries.length === 0 ? '' : `\n${table(terminal, ['retry', 'paid', 'failed', 'rate'], retries)}`)
  );
}

function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 1_000) / 10} %`;
}

/** A row for each month with anybody who began in it, in percent of those after each number of months. */
function showCohorts(cohorts: CohortReport['data'], terminal: Terminal): string {
  const begun = cohorts.filter(({ size }) => size > 0);
  if (begun.length === 0) return 'Nobody began in these months.\n';
  const longest = Math.max(...begun.map(({ running }) => running.length));
  const headings = ['month', 'began', ...Array.from({ length: longest }, (_, after) => `+${after}`)];
  return table(
    terminal,
    headings,
    begun.map(({ month, size, running }) => [
      month,
      size,
      ...headings.slice(2).map((_, after) => {
        const left = running[after];
        return left === undefined ? '' : `${Math.round((left / size) * 100)} %`;
      }),
    ]),
  );
}
