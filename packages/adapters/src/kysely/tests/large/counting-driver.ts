import { existsSync, readFileSync } from 'node:fs';
import type { Database as SqliteFile } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { SqliteDialect } from '../../../sqlite/dialect.js';
import { SqliteDriver } from '../../../sqlite/driver.js';

/** A statement that SQLite ran, with how many pages of the file it read. */
export interface Ran extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  readonly pages: number;
  /** How many rows it inserted, updated or deleted. */
  readonly written: number;
}

/**
 * A dialect that records each statement. SQLite does not tell the rows that a statement looked at, and a
 * search by a poor prefix of an index has a plan like a good one. So few pages stay in memory, and those that
 * are read are counted.
 */
export class CountingDialect extends SqliteDialect {
  readonly ran: Ran[] = [];
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super(file, 0);
    this.#file = file;
  }

  override createDriver(): SqliteDriver {
    return new CountingDriver(this.#file, this.ran);
  }
}

class CountingDriver extends SqliteDriver {
  readonly #ran: Ran[];

  constructor(file: SqliteFile, ran: Ran[]) {
    super(file, 0);
    this.#ran = ran;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      streamQuery: (query, size) => connection.streamQuery(query, size),
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const before = pagesRead();
        const result = await connection.executeQuery<Row>(query);
        const { sql, parameters } = query;
        const written = Number(result.numAffectedRows ?? 0);
        this.#ran.push({ sql, parameters, pages: pagesRead() - before, written });
        return result;
      },
    };
  }
}

const PAGE_SIZE = 4_096;
/** Where Linux counts what a thread reads. Elsewhere nothing is counted, and only the plans are judged. */
const COUNTERS = '/proc/thread-self/io';

/** How many pages this thread has read so far, from the cache of the system or from the disk. */
function pagesRead(): number {
  if (!existsSync(COUNTERS)) return 0;
  const [, bytes] = /^rchar: (\d+)$/m.exec(readFileSync(COUNTERS, 'utf8')) ?? [];
  return Math.floor(Number(bytes) / PAGE_SIZE);
}
