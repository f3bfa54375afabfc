import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { addCommand, type Group } from '../command-tree.js';
import { CommandFailed } from '../command-failed.js';
import { flag } from '../option.js';
import { PLACE_OPTIONS } from '../place.js';
import type { Terminal } from '../terminal.js';

const OPTIONS = { config: PLACE_OPTIONS.config, json: flag('print JSON, and nothing else') };

/** The commands that take care of the database: `backup` and `migrate`. */
export function addDatabaseCommands(root: Group): void {
  addCommand(root, {
    usage: 'backup <file>',
    about:
      'Copy the database into a file while hosts run, and check the copy. The sealing key is not in it: keep a copy of that elsewhere.',
    example: 'subrail backup /srv/backups/subrail.sqlite',
    options: OPTIONS,
    async run({ terminal, operands: [file = ''], options: { config, json } }) {
      const database = await databaseOf(config, terminal);
      if (/postgres(ql)?:\//.test(database)) {
        terminal.tell('Postgres makes its own backups. Run:\n');
        terminal.write(`pg_dump --format=custom --file=${file} "$SUBRAIL_DATABASE"\n`);
        return 0;
      }
      requireDatabase(database);
      const { backUp } = await import('../back-up.js');
      const made = await backUp(database, resolve(terminal.folder, file));
      const { bytes, rows } = made;
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      terminal.write(
        json === true
          ? `${JSON.stringify(made)}\n`
          : `The backup is in ${made.file}: ${bytes} bytes with ${total} rows, whole and readable.\n`,
      );
      return 0;
    },
  });
  addCommand(root, {
    usage: 'migrate',
    about:
      'Bring the database to the schema of this release, as a start does. Stop the hosts of an earlier release before.',
    example: 'subrail migrate --dry-run',
    options: { dry_run: flag('only show what is to be done'), ...OPTIONS },
    async run({ terminal, options: { config, json, dry_run } }) {
      const database = await databaseOf(config, terminal);
      requireDatabase(database);
      const { openSqliteStore, pendingSqliteMigrations } = await import('@subrail/adapters/sqlite');
      const pending = await pendingSqliteMigrations({ path: database });
      if (dry_run === undefined) await (await openSqliteStore({ path: database })).close();
      const migrated = dry_run === undefined;
      terminal.write(
        json === true
          ? `${JSON.stringify({ database, migrations: pending, migrated })}\n`
          : described(pending, migrated),
      );
      return 0;
    },
  });
}

function described(pending: readonly string[], migrated: boolean): string {
  if (pending.length === 0) return 'The database has the schema of this release: nothing is to be done.\n';
  const what = migrated ? 'These migrations were run:' : 'These migrations are to be run:';
  return [what, ...pending.map((name) => `  ${name}`), ''].join('\n');
}

async function databaseOf(config: string | undefined, { environment, folder }: Terminal): Promise<string> {
  const { readConfig } = await import('../../config/read-config.js');
  return readConfig(environment, folder, config).database;
}

function requireDatabase(database: string): void {
  if (existsSync(database)) return;
  throw new CommandFailed(
    `There is no database at ${database}: set SUBRAIL_DATABASE or SUBRAIL_DATA_DIR as your hosts have it.`,
  );
}
