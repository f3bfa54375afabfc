import type { Kysely } from 'kysely';
import type { DialectTraits } from '../query/session.js';
import type { Database } from '../tables/database.js';

/** A database that records can be moved from or to, open without a store. Only `moveRecords` and `cancelMove` write to it. */
export interface MovableDatabase {
  readonly db: Kysely<Database>;
  /** What the migrations must know about its engine. */
  readonly traits: DialectTraits;
  /**
   * Whether another connection has the database open, such as one of a host. It finds hosts that somebody forgot to stop, and may miss
   * one: on PostgreSQL it goes by the name `subrail` of connections, which a proxy or the address may replace, and a host that has no
   * connection at the moment has none to find. What such a host writes after the first step of a move is refused by the engine.
   */
  readonly isInUse: () => Promise<boolean>;
  /** Why the database cannot hold every record of another one, and what to do; null when it can. */
  readonly unfitFor: (source: Kysely<Database>) => Promise<string | null>;
  /**
   * Keeps every other move to this database out, of whatever process. Returns what ends that, or null when another move goes on.
   */
  readonly lockMove: () => Promise<(() => Promise<void>) | null>;
  /** The statements that make the engine refuse every change of a table, whoever makes it, with this sentence. */
  readonly refuseWrites: (table: string, sentence: string) => readonly string[];
  /** The statements that end what `refuseWrites` began. */
  readonly allowWrites: (table: string) => readonly string[];
  /** The statements that the engine needs after many rows were inserted, so that it chooses the right indexes. */
  readonly afterCopy: readonly string[];
  /** Closes the database. */
  readonly close: () => Promise<void>;
}
