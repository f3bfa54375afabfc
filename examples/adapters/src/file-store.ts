import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Store, StoreOperations } from '@subrail/core/ports';
import { operationsOn } from './operations.js';
import { noRows, type Tables } from './tables.js';

type Work<T> = (operations: StoreOperations) => Promise<T>;
type Operation = (...args: unknown[]) => Promise<unknown>;

/**
 * Opens a store that keeps all rows in one file. A transaction changes a copy of the tables; when it ends, the file is
 * replaced and the copy becomes what everyone reads. One process may use a file, for as much data as memory holds.
 */
export async function openFileStore(path: string): Promise<Store> {
  let stored = await load(path);
  let last: Promise<unknown> = Promise.resolve();

  /** Runs transactions one at a time, in the order of the calls, so that none sees a part of another. */
  const transaction = <T>(work: Work<T>): Promise<T> => {
    const result = last.then(async () => {
      const draft = { tables: stored, over: false };
      const returned = await work(untilOver(draft, operationsOn(draft))).finally(() => {
        draft.over = true;
      });
      if (draft.tables !== stored) await save(path, draft.tables);
      stored = draft.tables;
      return returned;
    });
    last = result.catch(() => undefined);
    return result;
  };

  // An operation on its own is a transaction with one operation.
  const alone = each(operationsOn({ tables: stored }), (name) => (...args) => {
    return transaction((operations) => (Reflect.get(operations, name) as Operation)(...args));
  });
  return { ...alone, transaction };
}

/** Makes each operation reject once its transaction is over, because the store has saved the draft by then. */
function untilOver(draft: { readonly over: boolean }, operations: StoreOperations): StoreOperations {
  return each(operations, (_, run) => async (...args) => {
    if (draft.over) throw new Error('The transaction is over: await its operations before its work ends.');
    return run(...args);
  });
}

/** Replaces each operation. `Object.entries` loses the names and the types, which stay the same. */
function each(
  operations: StoreOperations,
  replace: (name: string, run: Operation) => Operation,
): StoreOperations {
  const entries = Object.entries(operations as unknown as Record<string, Operation>);
  return Object.fromEntries(
    entries.map(([name, run]) => [name, replace(name, run)]),
  ) as unknown as StoreOperations;
}

/** Reads the file; a store without one is empty. Node's own format keeps dates, bigints and maps as they are. */
async function load(path: string): Promise<Tables> {
  try {
    return deserialize(await readFile(path)) as Tables;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noRows();
    throw error;
  }
}

/** Replaces the file in one step, and waits until the disk has it: a crash leaves the old file or the new one. */
async function save(path: string, tables: Tables): Promise<void> {
  const file = await open(`${path}.next`, 'w');
  try {
    await file.writeFile(serialize(tables));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.next`, path);
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
