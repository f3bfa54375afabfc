import type { AddedFigures, Attempt, FullStore, PlanId, Project, Subscription } from '@subrail/core/ports';
import {
  MADE_AT,
  aCommit,
  aManagementKey,
  anAttempt,
  aPlan,
  aProject,
  aSubscription,
  someFigures,
} from '@subrail/core/testing';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../../src/kysely/index.js';
import { schemaIndexes } from '../../src/kysely/migrations/indexes.js';

const PLANS = 20;
const MONTHS = 12;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The period of every plan. */
const HOURS = 720;

/** The instant at which the rows are looked at, after a year of charges. */
export const NOW = new Date(MADE_AT.getTime() + 500 * DAY);

/** A prime above every number of rows, which shuffles ids: real ids are random. */
const PRIME = 1_000_003;
const shuffled = `(1000000000 + (i * 48271) % ${PRIME})`;
const planIdOf = (place: number) => `plan_00000000000000${1_000_000_000 + place}` as PlanId;
/** The tokens of even and odd plans. */
export const MINTS = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
] as const;

/** The kinds of subscriptions, with the places that each has among a hundred. */
const KINDS: readonly (readonly [from: number, before: number, given: Partial<Subscription>])[] = [
  [0, 90, {}],
  [90, 91, { blockedSince: NOW, blockedReason: 'mint_paused' }],
  [
    91,
    93,
    {
      status: 'unpaid',
      lateReason: 'insufficient_balance',
      late: {
        periodStart: NOW,
        graceUntil: null,
        automatic: { spent: 1, allowed: 4, waitMs: DAY, nextAt: NOW },
        deadline: null,
        byHand: { count: 0, lastAt: null },
        queuedAt: null,
      },
    },
  ],
  [
    93,
    96,
    {
      status: 'cancelled',
      cancellation: {
        confirmedAt: NOW,
        expiresAt: new Date(NOW.getTime() + 5 * DAY),
        behind: false,
        lapse: null,
      },
    },
  ],
  [96, 100, { status: 'ended', endReason: 'cancelled', lostAt: NOW }],
];

/** The outcomes of attempts, with the places that each has among twenty. */
const OUTCOMES: readonly (readonly [from: number, before: number, given: Partial<Attempt>])[] = [
  [0, 19, { amountUsd: '10.00', fee: 1_250n }],
  [19, 20, { outcome: 'rejected', reason: 'insufficient_balance', signature: null, amountReceived: null }],
];

/**
 * Fills an empty, migrated database with subscriptions of one project, a year of their monthly charges and
 * the figures of these, and returns the project. The store writes the first row of each kind, and the
 * database copies it.
 * @param keyHash the hash of a management key that reads
 */
export async function fillYear(
  store: FullStore,
  db: Kysely<Database>,
  count: number,
  keyHash: string,
): Promise<Project> {
  const project = aProject();
  await store.insertProject(project);
  await store.insertManagementKey(aManagementKey({ hash: keyHash }));
  for (let place = 0; place < PLANS; place += 1) {
    const plan = aPlan({ id: planIdOf(place), projectId: project.id, mint: MINTS[place % 2] ?? '' });
    await store.insertPlan(plan);
    await store.addFigures(figuresOf(project, plan.id, count / PLANS));
  }
  while ((await store.mergeFigures(500)) > 0);

  const run = (text: string) => db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text));
  const copy = async (table: string, id: string, values: Readonly<Record<string, string>>, from: string) => {
    const [row = {}] = (await run(`select * from ${table} where id = '${id}'`)).rows;
    const columns = Object.keys(row);
    await run(
      `insert into ${table} (${columns.join(', ')})
       with recursive n (i) as (select cast(0 as bigint) union all select i + 1 from n where i < ${count - 1}),
         months (m) as (select 0 union all select m + 1 from months where m < ${MONTHS - 1})
       select ${columns.map((column) => values[column] ?? `first.${column}`).join(', ')}
       from ${table} as first cross join ${from} and first.id = '${id}'`,
    );
  };

  const subscriptions = KINDS.map(([, , given]) =>
    aSubscription({ projectId: project.id, planId: planIdOf(0), ...given }),
  );
  const [subscription] = subscriptions;
  if (subscription === undefined) throw new Error('No kind of subscription is there.');
  const attempts = OUTCOMES.map(([, , given]) =>
    anAttempt({ subscriptionId: subscription.id, periodStart: MADE_AT, ...given }),
  );
  await store.commit(subscriptions.map((one) => aCommit(one)));
  await store.commit([aCommit({ ...subscription, version: 2 }, { attempts })]);

  const indexes = schemaIndexes();
  for (const { name } of indexes) await run(`drop index ${name}`);
  for (const [at, { id }] of subscriptions.entries()) {
    const [from, before] = KINDS[at] ?? [];
    await copy('subscriptions', id, subscriptionValues, `n where i % 100 >= ${from} and i % 100 < ${before}`);
  }
  for (const [at, { id }] of attempts.entries()) {
    const [from, before] = OUTCOMES[at] ?? [];
    const picked = `n cross join months where (i + m) % 20 >= ${from} and (i + m) % 20 < ${before}`;
    await copy('attempts', id, attemptValues, picked);
    await run(`delete from attempts where id = '${id}'`);
  }
  for (const { id } of subscriptions) await run(`delete from subscriptions where id = '${id}'`);
  for (const { create } of indexes) await run(create);
  return project;
}

/** When subscription `i` is charged next: once an hour some, over a period. */
const nextTry = `${NOW.getTime()} + (i % ${HOURS}) * ${HOUR}`;
const planId = `'plan_00000000000000' || (1000000000 + i % ${PLANS})`;

const subscriptionValues = {
  id: `'sub_00000000000000' || ${shuffled}`,
  plan_id: planId,
  wallet: `'Subscriber' || ${shuffled}`,
  address: `'Account' || ${shuffled}`,
  external_id: `'customer ' || ${shuffled}`,
  email: `${shuffled} || '@example.com'`,
  paid_period_start: `${nextTry} - ${HOURS * HOUR}`,
  paid_period_end: nextTry,
  next_try_at: `case when first.status <> 'ended' then ${nextTry} end`,
  wake_at: `case when first.status <> 'ended' then ${nextTry} end`,
  created_at: `${nextTry} - ${MONTHS * HOURS * HOUR}`,
  confirmed_at: `${nextTry} - ${MONTHS * HOURS * HOUR}`,
};

const chargedAt = `${nextTry} - (m + 1) * cast(${HOURS * HOUR} as bigint)`;

const attemptValues = {
  id: `'att_000000000000' || (10 + m) || ${shuffled}`,
  subscription_id: subscriptionValues.id,
  plan_id: planId,
  attempted_at: chargedAt,
  period_start: chargedAt,
  signature: `case when first.signature is not null then 'Signature' || m || ${shuffled} end`,
};

/** The figures of a plan with so many subscriptions: what is due on each day ahead, and those of the year. */
function figuresOf(
  { id: projectId }: Project,
  planId: PlanId,
  subscriptions: number,
): readonly AddedFigures[] {
  const price = { attemptId: anAttempt().id, amount: 10_000_000n, amountUsd: '10.00' };
  const today = Math.floor(NOW.getTime() / DAY) * DAY;
  const dueInHour = BigInt(Math.ceil(subscriptions / HOURS));
  const ahead = Array.from({ length: 30 }, (_, days) =>
    someFigures({
      ...{ projectId, planId, day: new Date(today + days * DAY) },
      sums: Object.fromEntries(
        Array.from({ length: 24 }, (_, hour) => [`due/charge/${hour}/${HOURS}`, dueInHour]),
      ),
    }),
  );
  const past = Array.from({ length: MONTHS * 30 }, (_, daysAgo) => {
    const day = new Date(today - daysAgo * DAY);
    const charged = BigInt(Math.ceil(subscriptions / 30));
    const [paid, failed] = [(charged * 19n) / 20n, charged / 20n];
    const amount = paid * price.amount;
    const months = Array.from({ length: MONTHS }, (_, month) =>
      new Date(day.getTime() - month * 30 * DAY).toISOString().slice(0, 7),
    );
    return someFigures({
      ...{ projectId, planId, day, running: 10, recurring: 10, price: { at: day, ...price } },
      sums: {
        ...{ paid, 'paid.amount': amount, 'paid.usd': amount, fees: paid * 1_250n, new: 12n },
        ...{
          'failed/insufficient_balance': failed,
          'failed.amount/insufficient_balance': failed * price.amount,
        },
        ...{
          'unpaid/rejected/insufficient_balance': failed * 2n,
          recovered: failed,
          'recovered.amount': failed * price.amount,
        },
        ...{
          'retry.paid/1': failed,
          'retry.failed/1': failed,
          'ended/cancelled': 2n,
          'lapsed/cancelled': 2n,
        },
      },
      cohorts: {
        [`begun/${months[0]}`]: 12n,
        ...Object.fromEntries(months.map((month) => [`cohort/${month}`, 1n])),
      },
    });
  });
  return [...ahead, ...past];
}
