import { createCrypto } from '@subrail/adapters/node';
import type { ApiKeyId, PlanId, ProjectId, FullStore } from '@subrail/core/ports';
import { aCommit, anApiKey, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import type { BenchDatabase } from './database.js';

/** The number of projects, each with one API key: enough that no key comes near its rate limit. */
const PROJECTS = 400;
const PLANS = 3;

const DAY = 86_400_000;

/** A query for the access of a customer with a running subscription, and the key to make it with. */
export interface AccessQuery {
  readonly projectId: ProjectId;
  readonly key: string;
  readonly externalId: string;
  readonly slug: string;
}

const padded = (number: number, length: number): string => String(number).padStart(length, '0');
const projectOf = (customer: number): number => customer % PROJECTS;
const projectIdOf = (project: number): ProjectId => `proj_${padded(project, 24)}` as ProjectId;
const apiKeyOf = (project: number): string => `SUB_${padded(project, 43)}`;
const planOf = (customer: number): number => Math.floor(customer / PROJECTS) % PLANS;

/** An odd factor, so that no two customers get the same product modulo 2^32. */
const SCRAMBLE = 2_654_435_761n;
/** Eight hex digits for each customer in no order: neighbours in an index were not inserted together. */
const scrambled = (customer: number): string =>
  ((BigInt(customer) * SCRAMBLE) % 2n ** 32n).toString(16).padStart(8, '0');

/** The query for the access of the customer with this number, as `fill` wrote the customer. */
export function accessQueryOf(customer: number): AccessQuery {
  const project = projectOf(customer);
  return {
    projectId: projectIdOf(project),
    key: apiKeyOf(project),
    externalId: `user_${scrambled(customer)}`,
    slug: `plan-${planOf(customer)}`,
  };
}

/**
 * Fills an empty database with `subscriptions` rows, spread over all projects, and returns the number of
 * customers. Four in five rows are a customer's running subscription, the others an earlier checkout that
 * expired. The store writes the first row of each kind; the database copies it to make the others, with their
 * own ids and names.
 */
export async function fill(database: BenchDatabase, subscriptions: number): Promise<number> {
  const customers = Math.ceil(subscriptions * 0.8);
  const { running, expired } = await database.withStore(insertFirst);
  await database.load(async (run) => {
    await run(copyOf(database, running, customers, 1));
    await run(copyOf(database, expired, subscriptions - customers, 4));
    await run(`delete from subscriptions where id in ('${running}', '${expired}')`);
  });
  return customers;
}

/** Inserts the projects, their keys and plans, and one subscription of each kind, whose ids it returns. */
async function insertFirst(
  store: FullStore,
): Promise<{ readonly running: string; readonly expired: string }> {
  const crypto = createCrypto(new Uint8Array(32));
  const now = Date.now();
  for (let project = 0; project < PROJECTS; project++) {
    const projectId = projectIdOf(project);
    await store.insertProject(aProject({ id: projectId }));
    await store.insertApiKey(
      anApiKey({
        id: `key_${padded(project, 24)}` as ApiKeyId,
        projectId,
        hash: await crypto.digest(apiKeyOf(project)),
        createdAt: new Date(now),
        // Within the last minute, so that updates of the last use are spread over the run.
        lastUsedAt: new Date(now),
      }),
    );
    for (let plan = 0; plan < PLANS; plan++) {
      const id = `plan_${padded(project * PLANS + plan, 24)}` as PlanId;
      await store.insertPlan(aPlan({ id, projectId, slug: `plan-${plan}` }));
    }
  }
  const common = { projectId: projectIdOf(0), planId: `plan_${padded(0, 24)}` as PlanId };
  const running = aSubscription({
    ...common,
    createdAt: new Date(now - 10 * DAY),
    confirmedAt: new Date(now - 10 * DAY),
    paidPeriodStart: new Date(now - 10 * DAY),
    paidPeriodEnd: new Date(now + 20 * DAY),
    nextTryAt: new Date(now + 20 * DAY),
    wakeAt: new Date(now + 20 * DAY),
  });
  const expired = aSubscription({
    ...common,
    status: 'expired',
    incarnation: null,
    createdAt: new Date(now - 11 * DAY),
    confirmedAt: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    nextTryAt: null,
    wakeAt: null,
    lastAnnouncedAccess: false,
    paidCount: 0,
    paidAmount: 0n,
  });
  await store.commit([running, expired].map((subscription) => aCommit(subscription)));
  return { running: running.id, expired: expired.id };
}

/** Copies the row `id` for every `step`th of `count` customers, with new identifying values. */
function copyOf(database: BenchDatabase, id: string, count: number, step: number): string {
  /** `scrambled` in SQL. */
  const hex = database.hex(`(customer * ${SCRAMBLE} % 4294967296)`);
  const padded24 = (number: string) => database.padded(`(${number})`, 24);
  const address = (start: string) => `'${start}' || 'xxxxxxxxxxx' || replace(${hex}, '0', 'o')`;
  const newValues: Readonly<Record<string, string>> = {
    id: `'sub_' || substr(m.status, 1, 4) || 'xxxxxxxxxxxx' || ${hex}`,
    project_id: `'proj_' || ${padded24(`customer % ${PROJECTS}`)}`,
    plan_id: `'plan_' || ${padded24(`customer % ${PROJECTS} * ${PLANS} + customer / ${PROJECTS} % ${PLANS}`)}`,
    wallet: address('SubscriberxxxxxxxxxxxxxX'),
    address: address('AccountxxxxxxxxxxxxxxxxX'),
    external_id: `'user_' || ${hex}`,
    email: `${hex} || '@example.com'`,
  };
  const columns = database.columns();
  return `with recursive numbers (customer) as
      (select ${database.bigint('0')} union all select customer + ${step} from numbers where customer < ${(count - 1) * step})
    insert into subscriptions (${columns.join(', ')})
    select ${columns.map((column) => newValues[column] ?? `m.${column}`).join(', ')}
    from numbers cross join subscriptions m where m.id = '${id}'`;
}
