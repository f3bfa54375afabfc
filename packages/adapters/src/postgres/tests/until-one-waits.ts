import type pg from 'pg';
import { expect } from 'vitest';

/** Waits until another connection waits for a lock, such as one that this connection has. */
export async function untilOneWaits(connection: pg.Client): Promise<void> {
  const waiting = async () => {
    const { rowCount } = await connection.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount;
  };
  await expect.poll(waiting).toBe(1);
}
