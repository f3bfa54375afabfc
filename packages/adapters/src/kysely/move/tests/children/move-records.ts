import { openMovablePostgres } from '../../../../postgres/index.js';
import { openMovableSqlite } from '../../../../sqlite/index.js';
import { moveRecords } from '../../../index.js';

/** Moves the records of one place to another, and prints a line when it begins and one when it has ended. */
const [from = '', to = ''] = process.argv.slice(2);
const openAt = (address: string) =>
  address.startsWith('postgres:')
    ? openMovablePostgres({ url: address })
    : openMovableSqlite({ path: address });
const [source, target] = [await openAt(from), await openAt(to)];
console.log('begins');
await moveRecords(source, target);
console.log('has ended');
await source.close();
await target.close();
