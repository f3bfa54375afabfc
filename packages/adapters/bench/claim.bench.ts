import { MADE_AT } from '@subrail/core/testing';
import { fill, load, openSqlite } from './charge/filled-store.js';

// Measures how long it takes to claim 100 due subscriptions among many that are not due. The ratio compares a million rows
// with ten thousand, or with a tenth of fewer, on SQLite. It does not fail the run.
//
// `npm run bench claim [rows]` takes 1,000,000 rows by default, which are inserted in some minutes.

const DUE = 100;
const AIM = 1.2;
const LEASE_MS = 60_000;
const MEASUREMENTS = 50;

const rows = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(rows) || rows < 10 * DUE)
  throw new RangeError(`The number of rows must be ${10 * DUE} or more.`);
const FEW_ROWS = Math.min(10_000, Math.floor(rows / 10));
console.log(`Load average: ${load()}.`);
const few = await timeOfClaim(FEW_ROWS);
const many = await timeOfClaim(rows);
print(FEW_ROWS, few);
print(rows, many);
console.log(`Ratio ${(many / few).toFixed(2)}, aim at most ${AIM}. Load average at the end: ${load()}.`);

/** Milliseconds of the median claim. */
async function timeOfClaim(count: number): Promise<number> {
  const { store, close } = await openSqlite();
  try {
    const day = 24 * 60 * 60_000;
    const due = new Date(MADE_AT.getTime() + day);
    await fill(store, count - DUE, { wakeAt: new Date(due.getTime() + 365 * day) });
    await fill(store, DUE, { wakeAt: due });
    const times: number[] = [];
    for (let measured = 0; measured < MEASUREMENTS; measured++) {
      // A lease later, the same subscriptions are due again.
      const now = new Date(due.getTime() + measured * LEASE_MS);
      const started = performance.now();
      const { claimed } = await store.claimDue(now, DUE, LEASE_MS);
      times.push(performance.now() - started);
      if (claimed.length !== DUE) throw new Error(`A claim took ${claimed.length} subscriptions.`);
    }
    return times.toSorted((a, b) => a - b)[MEASUREMENTS / 2] ?? NaN;
  } finally {
    await close();
  }
}

function print(count: number, ms: number): void {
  console.log(`  ${DUE} due of ${String(count).padStart(9)} rows: claimed in ${ms.toFixed(2)} ms`);
}
