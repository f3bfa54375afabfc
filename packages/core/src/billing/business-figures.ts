import type { AttemptOutcome } from '../contract/enums.js';
import { failureCausesOf } from '../management/reports/figure-sums.js';
import { readFigureReport } from '../management/reports/figures.js';
import type { FigureTotals } from '../management/reports/figure-schemas.js';
import { isWithin } from '../ports/is-within.js';
import { Unavailable } from '../ports/unavailable.js';
import { dayOf, plusDays, sumOfSums, type Project, type ProjectId } from '../records/index.js';
import { displayAmount, usdMillionths, usdText } from '../rules/money.js';
import type { Service } from '../service.js';

/** How often the figures are read at most, however often metrics are. */
const EVERY_MS = 60_000;

/** The most projects of which figures are read, and the most tokens that are told apart. */
const MOST = { projects: 100, tokens: 50 };

/** Today so far, and the last thirty days with it; days are in UTC. */
const SPANS = ['today', '30_days'] as const;
type BusinessSpan = (typeof SPANS)[number];
const DAYS = 30;

/** The money of a token, of all projects, in whole tokens and US dollars. */
interface BusinessOfToken {
  readonly mint: string;
  /** Null when it has none that can be shown. */
  readonly symbol: string | null;
  /** What charges paid, in dollars without those that had no price. */
  readonly collected: Readonly<Record<BusinessSpan, { readonly display: string; readonly usd: string }>>;
  /** Monthly recurring revenue; in dollars null without a price. */
  readonly mrr: { readonly display: string; readonly usd: string | null };
}

/** The figures of all projects together, from those of each day. */
export interface BusinessFigures {
  /** At most 50, those with the most charges in thirty days. */
  readonly tokens: readonly BusinessOfToken[];
  /** Attempts that did not pay. */
  readonly unpaid: readonly {
    readonly span: BusinessSpan;
    readonly outcome: Exclude<AttemptOutcome, 'paid'>;
    readonly reason: string;
    readonly count: number;
  }[];
  /** Subscriptions that run, and those that recur. */
  readonly active: number;
  readonly recurring: number;
}

/** Why figures cannot be read, by their project. */
type Failures = Map<ProjectId | 'all', unknown>;

/**
 * Makes the read of the business figures: at most one a minute, shared by all who ask meanwhile. It answers
 * null while the store fails or has no figures, and with more than a hundred projects. A project whose
 * figures cannot be read is left out of those of the others (alerts#metrics).
 */
export function createBusinessFigures(service: Service): () => Promise<BusinessFigures | null> {
  let unread: Failures = new Map();
  const read = async () => {
    const failures: Failures = new Map();
    const figures = await readBusiness(service, failures).catch((error: unknown) => {
      failures.set('all', error);
      return null;
    });
    for (const [project, err] of failures)
      if (!unread.has(project))
        service.logger.warn({ project, err }, 'Figures cannot be read, so metrics leave them out.');
    unread = failures;
    return figures;
  };
  let last: { readonly at: Date; readonly figures: Promise<BusinessFigures | null> } | null = null;
  return async () => {
    const now = service.clock.now();
    if (last === null || !isWithin(last.at, EVERY_MS, now)) last = { at: now, figures: read() };
    return last.figures;
  };
}

interface Sums {
  readonly symbol: string | null;
  readonly decimals: number;
  readonly collected: Record<BusinessSpan, { count: number; amount: bigint; millionths: bigint }>;
  mrr: bigint;
  mrrMillionths: bigint | null;
}

/** Adds the figures up, and each project whose figures cannot be read to `failures`. */
async function readBusiness(service: Service, failures: Failures): Promise<BusinessFigures | null> {
  if (service.lacks.has('FigureStore')) return null;
  const projects = await service.store.listProjects();
  if (projects.length > MOST.projects) return null;
  const sums = new Map<string, Sums>();
  const unpaid = new Map<
    string,
    { readonly of: Omit<BusinessFigures['unpaid'][number], 'count'>; count: number }
  >();
  const standing = { active: 0, recurring: 0 };
  for (const project of projects) {
    const figures = await readProject(service, project).catch((error: unknown) => {
      // A store that cannot serve now says nothing about a project.
      if (error instanceof Unavailable) throw error;
      failures.set(project.id, error);
      return null;
    });
    if (figures === null) continue;
    for (const span of SPANS) {
      addMoney(sums, span, figures.tokens[span]);
      for (const { outcome, reason, count } of figures.unpaid[span]) {
        const key = `${span} ${outcome} ${reason}`;
        unpaid.set(key, { of: { span, outcome, reason }, count: (unpaid.get(key)?.count ?? 0) + count });
      }
    }
    standing.active += figures.active;
    standing.recurring += figures.recurring;
  }
  if (failures.size > 0 && failures.size === projects.length) return null;
  return {
    ...standing,
    tokens: [...sums].sort(byCharges).slice(0, MOST.tokens).map(ofToken),
    unpaid: [...unpaid.values()].map(({ of, count }) => ({ ...of, count })),
  };
}

/** Reads one report, whose last row is today, and today's causes, which a row has not. */
async function readProject(service: Service, project: Project) {
  const today = dayOf(service.clock.now());
  const { data, total } = await readFigureReport(service, project, { days: DAYS, by: 'day', per: 'project' });
  const rows = await service.store.readFigures(project.id, today, plusDays(today, 1), 'sums');
  return {
    ...total,
    tokens: { today: data.at(-1)?.tokens ?? [], '30_days': total.tokens },
    unpaid: {
      today: failureCausesOf(sumOfSums(rows.map(({ sums }) => sums))),
      '30_days': total.failure_causes,
    },
  };
}

function addMoney(sums: Map<string, Sums>, span: BusinessSpan, tokens: FigureTotals['tokens']): void {
  const none = () => ({ count: 0, amount: 0n, millionths: 0n });
  for (const { mint, symbol, decimals, collected, mrr } of tokens) {
    const sum = sums.get(mint) ?? {
      ...{ symbol, decimals, mrr: 0n, mrrMillionths: 0n },
      collected: { today: none(), '30_days': none() },
    };
    sums.set(mint, sum);
    const of = sum.collected[span];
    of.count += collected.count;
    of.amount += BigInt(collected.amount);
    of.millionths += usdMillionths(collected.amount_usd) ?? 0n;
    if (span !== 'today') continue;
    const worth = mrr.amount_usd === null ? null : usdMillionths(mrr.amount_usd);
    sum.mrr += BigInt(mrr.amount);
    sum.mrrMillionths = sum.mrrMillionths === null || worth === null ? null : sum.mrrMillionths + worth;
  }
}

function byCharges([mint, one]: readonly [string, Sums], [other, two]: readonly [string, Sums]): number {
  const charges = ({ collected }: Sums) => collected['30_days'].count;
  return charges(two) - charges(one) || (mint < other ? -1 : 1);
}

function ofToken([mint, { symbol, decimals, collected, mrr, mrrMillionths }]: readonly [
  string,
  Sums,
]): BusinessOfToken {
  const shown = ({ amount, millionths }: Sums['collected'][BusinessSpan]) => ({
    display: displayAmount(amount, decimals),
    usd: usdText(millionths),
  });
  return {
    ...{ mint, symbol },
    collected: { today: shown(collected.today), '30_days': shown(collected['30_days']) },
    mrr: {
      display: displayAmount(mrr, decimals),
      usd: mrrMillionths === null ? null : usdText(mrrMillionths),
    },
  };
}
