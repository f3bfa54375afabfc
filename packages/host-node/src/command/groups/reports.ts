import type { Overview, Schedule } from '@subrail/core/schemas';
import { inTokens } from '../../demo/format-amount.js';
import type { Group } from '../command-tree.js';
import { addManaged, leftOut, listed, PAGE_OPTIONS } from '../managed.js';
import { flag, oneOf, whole } from '../option.js';
import { rowsTable, table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../errors.js';

const OVERVIEW = 'plan collected usd failed won_back owed new returned lost active late'.split(' ');

/** The reports of a project: `subrail upcoming` and `subrail overview`. */
export function addReportCommands(root: Group): void {
  addManaged(root, {
    usage: 'upcoming',
    about: 'List the charges, retries and ends that come next, soonest first, or sum them up by day.',
    example: 'subrail upcoming --days 7',
    operations: ['reports.upcoming', 'reports.schedule'],
    options: {
      by_day: flag('sum them up by day and token, of the next 30 days'),
      days: whole('count', 'sum them up by day and token, of so many days from today on, 1 to 90'),
      ...PAGE_OPTIONS,
    },
    async run({ project, options: { by_day, days, limit, starting_after } }) {
      const isSum = by_day === true || days !== undefined;
      if (isSum && (limit ?? starting_after) !== undefined)
        throw new UsageError('--limit and --starting-after are not for sums by day, which have no pages.');
      const { reports } = await project();
      return isSum ? reports.schedule({ days }) : reports.upcoming({ limit, starting_after });
    },
    shown(result, { terminal }) {
      if ('from' in result) return showSchedule(result, terminal);
      const columns = ['due_at', 'kind', 'plan', 'subscription', 'external_id', 'email', 'amount', 'reason'];
      return listed(terminal, columns, result, (one) => ({
        ...one,
        amount: one.amount === null ? null : inTokens(BigInt(one.amount), one.decimals),
      }));
    },
  });
  addManaged(root, {
    usage: 'overview',
    about: 'Sum up the last days: what was collected, failed, won back, is owed and was lost, and why.',
    example: 'subrail overview --days 7',
    operations: ['reports.overview'],
    options: { days: oneOf(['7', '30', '90'], 'how many days; 30 without it') },
    run: async ({ project, options }) => (await project()).reports.overview(options),
    shown: (result, { terminal }) => showOverview(result, terminal),
  });
}

function showSchedule({ data, unreadable }: Schedule, terminal: Terminal): string {
  if (data.length === 0) return `There are none.\n${leftOut(unreadable)}`;
  const rows = data.map(({ date, mint, decimals, charges, retries }) => [
    date,
    mint,
    charges.count,
    inTokens(BigInt(charges.amount), decimals),
    charges.amount_usd,
    retries.count,
    inTokens(BigInt(retries.amount), decimals),
    retries.amount_usd,
  ]);
  return (
    table(terminal, ['date', 'token', 'charges', 'amount', 'usd', 'retries', 'amount', 'usd'], rows) +
    leftOut(unreadable)
  );
}

function showOverview(overview: Overview, terminal: Terminal): string {
  const { since, until, plans, failure_causes, lost_causes, unpriced } = overview;
  const rows = plans.map((plan) => {
    const sum = ({ amount }: { readonly amount: string }) => inTokens(BigInt(amount), plan.decimals);
    const { count, unpriced: withoutPrice, amount_usd } = plan.collected;
    // Collected without any price is not the same as no dollars collected.
    const usd = count > 0 && withoutPrice === count ? null : amount_usd;
    return {
      ...plan,
      collected: sum(plan.collected),
      usd,
      failed: sum(plan.failed),
      won_back: sum(plan.won_back),
      owed: sum(plan.owed),
    };
  });
  const causes = [
    ...failure_causes.map(({ outcome, reason, count }) => [`charge ${outcome}`, reason, count]),
    ...lost_causes.map(({ reason, count }) => ['lost', reason, count]),
  ];
  return (
    `From ${since} to ${until}\n\n${rowsTable(terminal, OVERVIEW, rows)}` +
    (causes.length === 0 ? '' : `\n${table(terminal, ['what', 'why', 'count'], causes)}`) +
    (unpriced === 0 ? '' : `\nCharges without a price, which are not among the dollars: ${unpriced}.\n`)
  );
}
