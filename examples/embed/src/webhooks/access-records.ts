import type Database from 'better-sqlite3';
import type { EventWire, SubscriptionWire } from '@subrail/core/schemas';

/** What is applied: the event of a webhook, or an item of `GET /v1/events`. */
export type ReceivedEvent = Pick<EventWire, 'id' | 'sequence' | 'data'> & {
  readonly type: string;
  readonly test?: boolean | undefined;
};

export const TABLES = `
  create table if not exists received_events (
    id text primary key, body text not null, handled integer not null default 0
  );
  create table if not exists subscriptions (
    id text primary key, external_id text, plan text not null, access integer not null, sequence integer not null
  );`;

/** Keeps an event once, however often it arrives. */
export const KEEP = `
  insert into received_events (id, body) values (?, ?) on conflict (id) do nothing`;

/** Applies a subscription, unless an event with the same or a higher sequence was applied before. */
export const APPLY = `
  insert into subscriptions (id, external_id, plan, access, sequence) values (?, ?, ?, ?, ?)
  on conflict (id) do update set
    external_id = excluded.external_id, plan = excluded.plan,
    access = excluded.access, sequence = excluded.sequence
  where excluded.sequence > subscriptions.sequence`;

/** Replaces a subscription by a newer state. Its place in the order stays as it was. */
export const REPLACE = `
  insert into subscriptions (id, external_id, plan, access, sequence) values (?, ?, ?, ?, 0)
  on conflict (id) do update set
    external_id = excluded.external_id, plan = excluded.plan, access = excluded.access`;

/** Who has access, in your own database. */
export class AccessRecords {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
    database.exec(TABLES);
  }

  /** Keeps and applies an event in one transaction. Every further time it changes nothing. */
  apply(event: ReceivedEvent): void {
    const { id, external_id, plan, access } = event.data;
    this.#database.transaction(() => {
      this.#database.prepare(KEEP).run(event.id, JSON.stringify(event));
      this.#database.prepare(APPLY).run(id, external_id, plan, Number(access), event.sequence ?? 0);
    })();
  }

  /** Replaces what is known of a subscription by what the service answered for it just now. */
  replace({ id, external_id, plan, access }: SubscriptionWire): void {
    this.#database.prepare(REPLACE).run(id, external_id, plan, Number(access));
  }

  hasAccess(customer: string, plan: string): boolean {
    const sql = 'select 1 from subscriptions where external_id = ? and plan = ? and access = 1';
    return this.#database.prepare(sql).get(customer, plan) !== undefined;
  }

  /** Does the slow work of the events that were kept, each until it succeeded once. */
  async handleKept(handle: (event: ReceivedEvent) => Promise<void>): Promise<void> {
    const kept = this.#database.prepare(
      'select id, body from received_events where handled = 0 order by rowid',
    );
    for (const { id, body } of kept.all() as { id: string; body: string }[]) {
      await handle(JSON.parse(body) as ReceivedEvent);
      this.#database.prepare('update received_events set handled = 1 where id = ?').run(id);
    }
  }
}
