import { openMovablePostgres } from '../../../../postgres/index.js';
import { openMovableSqlite } from '../../../../sqlite/index.js';
import { moveRecords } from '../../../index.js';

/** Moves the records of a file to PostgreSQL, and prints a line at the beginning and at the end. */
const [from = '', to = ''] = process.argv.slice(2);
const [source, target] = [await openMovableSqlite({ path: from }), await openMovablePostgres({ url: to })];
console.log('begins');
await moveRecords(source, target);
console.log('has ended');
await source.close();
await target.close();
