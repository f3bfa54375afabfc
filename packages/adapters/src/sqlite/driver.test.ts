import SqliteFile from 'better-sqlite3';
import { Unavailable } from '@subrail/core/ports';
import { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { SqliteDialect } from './dialect.js';
import { SqliteDriver } from './driver.js';
import { scratchFile } from './tests/scratch.js';

test('the connection serves callers one at a time and in order, even when one calls during a release', async () => {
  const driver = new SqliteDriver(new SqliteFile(':memory:'), 0);
  const order: string[] = [];
  const use = async (who: string) => {
    await driver.acquireConnection();
    order.push(`${who} in`);
    // The caller keeps the connection for a while.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    order.push(`${who} out`);
    await driver.releaseConnection();
  };
  await driver.acquireConnection();
  const second = use('second');
  const released = driver.releaseConnection();
  const third = use('third');
  await Promise.all([released, second, third]);
  expect(order).toEqual(['second in', 'second out', 'third in', 'third out']);
  await driver.destroy();
});

test('nothing more is written of a transaction that SQLite rolled back by itself', async () => {
  const file = new SqliteFile(':memory:');
  file.exec('create table written (x)');
  const db = new Kysely<{ written: { x: number } }>({ dialect: new SqliteDialect(file, 0) });
  const work = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('written').values({ x: 1 }).execute();
    // As after an error of the disk.
    file.exec('rollback');
    await transaction.insertInto('written').values({ x: 2 }).execute();
  });
  await expect(work).rejects.toThrow(Unavailable);
  expect(await db.selectFrom('written').selectAll().execute()).toEqual([]);
  const swallowing = db.transaction().execute(async () => void file.exec('rollback'));
  await expect(swallowing).rejects.toThrow(Unavailable);
  await db
    .transaction()
    .execute((transaction) => transaction.insertInto('written').values({ x: 3 }).execute());
  expect(await db.selectFrom('written').selectAll().execute()).toEqual([{ x: 3 }]);
  await db.destroy();
});

describe('the number that tells of the commits of others', () => {
  test('is read once for all calls of a turn of the event loop, and tells each what was committed before its call', async () => {
    const { path, remove } = scratchFile();
    const [file, other] = [new SqliteFile(path), new SqliteFile(path)];
    const driver = new SqliteDriver(file, 0);
    const before = await driver.dataVersion();
    const readings = [driver.dataVersion()];
    other.exec('create table written (x)');
    readings.push(driver.dataVersion());
    expect(readings[1]).toBe(readings[0]);
    const [after] = await Promise.all(readings);
    expect(after).not.toBe(before);
    expect(await driver.dataVersion()).toBe(after);

    await driver.destroy();
    other.close();
    remove();
  });

  test('is not known once the file is closed', async () => {
    const driver = new SqliteDriver(new SqliteFile(':memory:'), 0);
    expect(await driver.dataVersion()).toBeTypeOf('number');
    const asked = driver.dataVersion();
    await driver.destroy();
    expect(await asked).toBeNull();
    expect(await driver.dataVersion()).toBeNull();
  });
});
