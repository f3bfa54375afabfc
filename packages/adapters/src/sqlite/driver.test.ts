import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SqliteDriver } from './driver.js';

test('the connection has one user at a time, in the order they came, whoever asks in the moment it is passed on', async () => {
  const driver = new SqliteDriver(new SqliteFile(':memory:'), 0);
  const order: string[] = [];
  const use = async (who: string) => {
    await driver.acquireConnection();
    order.push(`${who} in`);
    // Whoever holds it is at work for a while.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    order.push(`${who} out`);
    await driver.releaseConnection();
  };
  await driver.acquireConnection();
  const second = use('second');
  const passedOn = driver.releaseConnection();
  const third = use('third');
  await Promise.all([passedOn, second, third]);
  expect(order).toEqual(['second in', 'second out', 'third in', 'third out']);
  await driver.destroy();
});
