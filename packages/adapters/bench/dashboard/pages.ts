import { MINTS, NOW } from './filled-year.js';

const HOME_AIM_MS = 300;
const LIST_AIM_MS = 200;
const FIGURES_AIM_MS = 100;
const DAY_MS = 86_400_000;

/** What a page of the dashboard reads. */
export interface Page {
  readonly name: string;
  readonly aimMs: number;
  /** The routes of the project that the page calls at once. */
  readonly paths: readonly string[];
  /** Statements that read the rows that the page needs. */
  readonly bare: readonly string[];
}

/** Reads a page of attempts. */
export const attempts = (where: string) =>
  `select * from attempts a join subscriptions s on s.id = a.subscription_id
   where a.project_id = :project ${where} order by a.attempted_at desc, a.id desc limit 25`;
const subscriptions = (where: string) =>
  `select * from subscriptions where project_id = :project ${where} order by created_at desc, id desc limit 25`;
const figures = (days: number) =>
  `select * from figures where project_id = :project and day > ${NOW.getTime() - days * DAY_MS} order by day`;
const someone = '1000000000';

export const PAGES: readonly Page[] = [
  {
    name: 'Home, 30 days',
    aimMs: HOME_AIM_MS,
    paths: ['figures?days=30', 'schedule?days=30', 'cohorts?months=12'],
    bare: [figures(30), figures(365)],
  },
  {
    name: 'figures of a year by month',
    aimMs: FIGURES_AIM_MS,
    paths: ['figures?days=365&by=month'],
    bare: [figures(365)],
  },
  {
    name: 'figures of a year by day',
    aimMs: FIGURES_AIM_MS,
    paths: ['figures?days=365'],
    bare: [figures(365)],
  },
  { name: 'cohorts of a year', aimMs: FIGURES_AIM_MS, paths: ['cohorts?months=12'], bare: [figures(365)] },
  { name: 'what is due in 30 days', aimMs: HOME_AIM_MS, paths: ['schedule?days=30'], bare: [figures(30)] },
  { name: 'Plans', aimMs: LIST_AIM_MS, paths: ['plans', 'overview?days=30'], bare: [figures(30)] },
  ...[
    ['', ''],
    ['late=true&', "and status = 'unpaid'"],
    ['blocked=true&', 'and blocked_since is not null'],
    ['status=cancelled&', "and status = 'cancelled'"],
    ['status=ended&', "and status = 'ended'"],
    [`email=${someone}@example.com&`, `and email = '${someone}@example.com'`],
    [`external_id=customer+${someone}&`, `and external_id = 'customer ${someone}'`],
  ].map(([query = '', where = '']) => ({
    name: `Customers ${query.replace(/[=&].*/, '')}`,
    aimMs: LIST_AIM_MS,
    paths: [`subscriptions?${query}limit=25`],
    bare: [subscriptions(where)],
  })),
  ...[
    ['', ''],
    ['outcome=rejected&', "and a.outcome = 'rejected'"],
    ['reason=insufficient_balance&', "and a.reason = 'insufficient_balance'"],
    [`mint=${MINTS[1]}&`, `and a.plan_id in (select id from plans where mint = '${MINTS[1]}')`],
    ['from=2026-01-01&to=2026-01-31&', ''],
  ].map(([query = '', where = '']) => ({
    name: `Payments ${query.replace(/[=&].*/, '')}`,
    aimMs: LIST_AIM_MS,
    paths: [`payments?${query}limit=25`],
    bare: [attempts(where)],
  })),
];
