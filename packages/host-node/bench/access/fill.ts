import { createCrypto } from '@subrail/adapters/node';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { ApiKeyId, PlanId, ProjectId } from '@subrail/core/ports';
import { aCommit, anApiKey, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';

/** How many projects there are, each with one API key: enough that no key comes near its rate limit. */
export const PROJECTS = 400;
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
/** Eight hex digits for each customer in no particular order: neighbours in an index were not inserted together. */
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
 * Creates a database with `subscriptions` rows at `path`, spread over all projects, and returns the number of
 * customers. Four in five rows are a customer's running subscription, the others an earlier checkout that expired. The
 * store writes the first row of each kind; SQLite copies it to make the others, with their own ids and names.
 */
export async function fill(path: string, subscriptions: number): Promise<number> {
  const { store, close } = await openSqliteStore({ path });
  const crypto = createCrypto(new Uint8Array(32));
  const now = Date.now();
  for (let project = 0; project < PROJECTS; project++) {
    const projectId = projectIdOf(project);
    const digest = await crypto.digest(new TextEncoder().encode(apiKeyOf(project)));
    await store.insertProject(aProject({ id: projectId }));
    await store.insertApiKey(
      anApiKey({
        id: `key_${padded(project, 24)}` as ApiKeyId,
        projectId,
        hash: Buffer.from(digest).toString('hex'),
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
  await close();

  const customers = Math.ceil(subscriptions * 0.8);
  const file = new SqliteFile(path);
  file.pragma('synchronous = OFF');
  file.pragma('cache_size = -500000');
  file.transaction(() => {
    // Building an index over all rows is faster than adding them one by one.
    const indexes = file
      .prepare<[], { name: string; sql: string }>(
        `select name, sql from sqlite_master where tbl_name = 'subscriptions' and type = 'index' and sql is not null`,
      )
      .all();
    for (const { name } of indexes) file.exec(`drop index ${name}`);
    copy(file, running.id, customers, 1);
    copy(file, expired.id, subscriptions - customers, 4);
    file.prepare(`delete from subscriptions where id in (?, ?)`).run(running.id, expired.id);
    for (const { sql } of indexes) file.exec(sql);
  })();
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
  return customers;
}

/** Copies the row `id` for `count` customers, every `step`th of them, with new values in the identifying columns. */
function copy(file: SqliteFile.Database, id: string, count: number, step: number): void {
  /** `scrambled` in SQL. */
  const hex = `printf('%08x', customer * ${SCRAMBLE} % 4294967296)`;
  const address = (start: string) => `'${start}' || 'xxxxxxxxxxx' || replace(${hex}, '0', 'o')`;
  const newValues: Readonly<Record<string, string>> = {
    id: `'sub_' || substr(m.status, 1, 4) || 'xxxxxxxxxxxx' || ${hex}`,
    project_id: `printf('proj_%024d', customer % ${PROJECTS})`,
    plan_id: `printf('plan_%024d', customer % ${PROJECTS} * ${PLANS} + customer / ${PROJECTS} % ${PLANS})`,
    wallet: address('SubscriberxxxxxxxxxxxxxX'),
    address: address('AccountxxxxxxxxxxxxxxxxX'),
    external_id: `'user_' || ${hex}`,
    email: `${hex} || '@example.com'`,
  };
  const columns = file
    .prepare<[], { name: string }>(`select name from pragma_table_info('subscriptions')`)
    .all()
    .map((column) => column.name);
  file
    .prepare(
      `with recursive numbers (customer) as
         (select 0 union all select customer + ${step} from numbers where customer < ${(count - 1) * step})
       insert into subscriptions (${columns.join(', ')})
       select ${columns.map((column) => newValues[column] ?? `m.${column}`).join(', ')}
       from numbers cross join subscriptions m where m.id = ?`,
    )
    .run(id);
}
