import SqliteFile from 'better-sqlite3';

/** Reads a SQLite file without end; each read takes some tenths of a second, as a report does. */
const [path = ''] = process.argv.slice(2);
const file = new SqliteFile(path, { readonly: true });
const statement = file.prepare(
  `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 400000)
   select count(*) from counted, (select count(*) from projects)`,
);
console.log('ready');
for (;;) {
  statement.all();
  await new Promise((resolve) => setImmediate(resolve));
}
