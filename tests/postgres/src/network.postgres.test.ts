import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { emptyDatabase, withClient, type EmptyDatabase } from './empty-database.js';
import { openNetwork, type Network } from './network.js';

let database: EmptyDatabase;
let network: Network;
let client: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase(inject('postgres'));
  network = await openNetwork(database.url);
  await withClient(database.url, (direct) => direct.query('create table notes (note text)'));
  client = new pg.Client({ connectionString: network.url });
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(async () => {
  await client.end().catch(() => undefined);
  await network.close();
  await database.drop();
});

const insert = (note: string) => client.query('insert into notes values ($1)', [note]);

async function notes(): Promise<readonly string[]> {
  const { rows } = await withClient(database.url, (direct) =>
    direct.query<{ note: string }>('select note from notes order by note'),
  );
  return rows.map(({ note }) => note);
}

test('a cut at the second answer with a text lets the first one pass, and keeps back what the server has done', async () => {
  network.cutAtAnswer('INSERT', 2);
  await insert('a');
  await client.query('select 1');
  expect(network.answersCut()).toBe(0);
  await expect(insert('b')).rejects.toThrow(/terminated/);
  expect(network.answersCut()).toBe(1);
  expect(await notes()).toEqual(['a', 'b']);
});

test('a cut after a statement keeps its answer back, however early the connection ends', async () => {
  await insert('a');
  network.cutAfterStatement(2);
  await insert('b');
  const lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('begin; lock table notes');
  // The server cannot answer yet.
  await expect(insert('c')).rejects.toThrow(/terminated/);
  expect(network.answersCut()).toBe(1);
  await lock.query('commit');
  await lock.end();
  await expect.poll(notes).toEqual(['a', 'b', 'c']);
});

test('a cut that was asked for and has not come is forgotten', async () => {
  network.cutAtAnswer('INSERT');
  network.cutAfterStatement(1);
  network.cutNoMore();
  await insert('a');
  network.cut();
  await expect(insert('b')).rejects.toThrow();
  expect(network.answersCut()).toBe(0);
  expect(await notes()).toEqual(['a']);
});
