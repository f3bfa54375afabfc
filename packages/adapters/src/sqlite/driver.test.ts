import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SqliteDriver } from './driver.js';

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
