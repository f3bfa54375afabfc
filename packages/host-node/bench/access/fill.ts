import { createCrypto } from '@subrail/adapters/node';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { ApiKeyId, PlanId, ProjectId } from '@subrail/core/ports';
import { aCommit, anApiKey, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';

/** So many projects, a key each, that no key comes near its limit a minute. */
export const PROJECTS = 400;
const PLANS = 3;

const DAY = 86_400_000;

/** Someone with a running subscription, and whose key asks about them. */
export interface Asked {
  readonly projectId: ProjectId;
  readonly key: string;
  readonly externalId: string;
  readonly slug: string;
}

const padded = (number: number, length: number): string => String(number).padStart(length, '0');
const projectOf = (customer: number): number => customer % PROJECTS;
const planOf = (customer: number): number => Math.floor(customer / PROJECTS) % PLANS;

/** Each customer's own eight hex digits, in no order: neighbours in an index did not come one after the other. */
const SCRAMBLE = 2_654_435_761n;
const scrambled = (customer: number): string =>
  ((BigInt(customer) * SCRAMBLE) % 2n ** 32n).toString(16).padStart(8, '0');

/** The customer of this number, as `fill` wrote them. */
export function customer(number: number): Asked {
  const project = projectOf(number);
  return {
    projectId: `proj_${padded(project, 24)}` as ProjectId,
    key: `SUB_${padded(project, 43)}`,
    externalId: `user_${scrambled(number)}`,
    slug: `plan-${planOf(number)}`,
  };
}

/**
 * Makes a database of `subscriptions` rows at `path`, spread over all projects, and answers how many customers there are.
 * Four in five are somebody's running subscription, the rest a checkout that expired before. The first of each is written
 * by the store, and the others are copies of it with names of their own, written by SQLite itself.
 */
export async function fill(path: string, subscriptions: number): Promise<number> {
  const { store, close } = await openSqliteStore({ path });
  const crypto = createCrypto(new Uint8Array(32));
  const now = Date.now();
  for (let project = 0; project < PROJECTS; project++) {
    const { projectId, key } = customer(project);
    const digest = await crypto.digest(new TextEncoder().encode(key));
    await store.insertProject(aProject({ id: projectId }));
    await store.insertApiKey(
      anApiKey({
        id: `key_${padded(project, 24)}` as ApiKeyId,
        projectId,
        hash: Buffer.from(digest).toString('hex'),
        createdAt: new Date(now),
        // Within the minute, so that writing it anew is spread over the run as it would be over a day.
        lastUsedAt: new Date(now),
      }),
    );
    for (let plan = 0; plan < PLANS; plan++) {
      const id = `plan_${padded(project * PLANS + plan, 24)}` as PlanId;
      await store.insertPlan(aPlan({ id, projectId, slug: `plan-${plan}` }));
    }
  }
  const of = { projectId: customer(0).projectId, planId: `plan_${padded(0, 24)}` as PlanId };
  const running = aSubscription({
    ...of,
    createdAt: new Date(now - 10 * DAY),
    confirmedAt: new Date(now - 10 * DAY),
    paidPeriodStart: new Date(now - 10 * DAY),
    paidPeriodEnd: new Date(now + 20 * DAY),
    nextTryAt: new Date(now + 20 * DAY),
    wakeAt: new Date(now + 20 * DAY),
  });
  const expired = aSubscription({
    ...of,
    status: 'expired',
    incarnation: null,
    createdAt: new Date(now - 11 * DAY),
    confirmedAt: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    nextTryAt: null,
    wakeAt: null,
    accessAnnounced: false,
    paidCount: 0,
    paidAmount: 0n,
  });
  await store.commit([running, expired].map((model) => aCommit(model)));
  await close();

  const customers = Math.ceil(subscriptions * 0.8);
  const file = new SqliteFile(path);
  file.pragma('synchronous = OFF');
  file.pragma('cache_size = -500000');
  file.transaction(() => {
    // Indexes are built faster over all rows than row by row.
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

/** Copies the row `model` for `count` customers, every `step`th of them, each column that names somebody made anew. */
function copy(file: SqliteFile.Database, model: string, count: number, step: number): void {
  const name = `printf('%08x', customer * ${SCRAMBLE} % 4294967296)`;
  const address = (start: string) => `'${start}' || 'xxxxxxxxxxx' || replace(${name}, '0', 'o')`;
  const fresh: Readonly<Record<string, string>> = {
    id: `'sub_' || substr(m.status, 1, 4) || 'xxxxxxxxxxxx' || ${name}`,
    project_id: `printf('proj_%024d', customer % ${PROJECTS})`,
    plan_id: `printf('plan_%024d', customer % ${PROJECTS} * ${PLANS} + customer / ${PROJECTS} % ${PLANS})`,
    wallet: address('SubscriberxxxxxxxxxxxxxX'),
    address: address('AccountxxxxxxxxxxxxxxxxX'),
    external_id: `'user_' || ${name}`,
    email: `${name} || '@example.com'`,
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
       select ${columns.map((column) => fresh[column] ?? `m.${column}`).join(', ')}
       from numbers cross join subscriptions m where m.id = ?`,
    )
    .run(model);
}
