import type { Kysely } from 'kysely';
import type { Database, DialectTraits } from '../index.js';

/** An empty database of an engine. */
export interface EmptyDatabase {
  readonly db: Kysely<Database>;
  readonly traits: DialectTraits;
  readonly close: () => Promise<void>;
}
