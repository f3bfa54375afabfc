import { resolve } from 'node:path';
import { shellWord } from '@subrail/adapters/node';
import { addCommand, type Group } from '../command-tree.js';
import { postgresOptions } from '../../config/postgres-options.js';
import type { DatabaseConfig } from '../../config/read-config.js';
import { CommandFailed, UsageError } from '../errors.js';
import { flag, text } from '../option.js';
import { PLACE_OPTIONS } from '../place.js';
import { nameOf, pendingMigrationsOf, requireFile } from '../require-database.js';
import { progressOn, type Terminal } from '../terminal.js';

const OPTIONS = { config: PLACE_OPTIONS.config, json: flag('print JSON, and nothing else') };

/**
 * Refuses a database whose records were moved: nobody may go back to a copy of it. A database of another
 * release is copied, as before an upgrade.
 */
async function refuseMoved(database: DatabaseConfig): Promise<void> {
  const { MovedDatabaseError } = await import('@subrail/adapters/kysely');
  await pendingMigrationsOf(database).catch((error: unknown) => {
    if (error instanceof MovedDatabaseError || error instanceof CommandFailed) throw error;
  });
}

/** `subrail backup` and `subrail migrate`. */
export function addDatabaseCommands(root: Group): void {
  addCommand(root, {
    usage: 'backup <file>',
    about:
      'Copy the database into a file while hosts run, and check the copy. The sealing key is not in it: keep a copy of that elsewhere.',
    example: 'subrail backup /srv/backups/subrail.sqlite',
    options: OPTIONS,
    async run({ terminal, operands: [file = ''], options: { config, json } }) {
      const database = await databaseOf(config, terminal);
      if (database.kind === 'postgres')
        throw new CommandFailed(
          `Nothing was copied: Postgres has its own program for it. Run: pg_dump --format=custom --file=${shellWord(file)} "${nameOf(database)}". Put the password into ~/.pgpass, so that no list of processes shows it.`,
        );
      await refuseMoved(database);
      const { backUp } = await import('../back-up.js');
      const progress = progressOn(terminal, json);
      const backup = await backUp(database.path, resolve(terminal.folder, file), progress);
      const { bytes, rows } = backup;
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      terminal.write(
        json === true
          ? `${JSON.stringify(backup)}\n`
          : `The backup is in ${backup.file}: ${bytes} bytes with ${total} rows, whole and readable.\n`,
      );
      return 0;
    },
  });
  addCommand(root, {
    usage: 'migrate',
    about:
      'Bring the database to the schema of this release, as a start does. On SQLite, stop the hosts of an earlier release before. With --to, move all records from a SQLite file to a Postgres database, which has to be empty.',
    example: 'subrail migrate --to postgres://subrail@db.example.com/subrail',
    options: {
      dry_run: flag('only show what is to be done'),
      to: text(
        'database',
        'move all records of the SQLite file to this one: an address of Postgres, whose password may be in PGPASSWORD',
      ),
      cancel_move: flag('give up a move that did not end, so that the database can be used again'),
      ...OPTIONS,
    },
    async run({ terminal, options: { config, json, dry_run, to, cancel_move } }) {
      const database = await databaseOf(config, terminal);
      if (to !== undefined || cancel_move !== undefined) {
        if (to !== undefined && cancel_move !== undefined)
          throw new UsageError('"subrail migrate" takes --to or --cancel-move, not both.');
        if (dry_run !== undefined)
          throw new UsageError(
            '--dry-run shows the migrations of the database: leave out --to and --cancel-move.',
          );
        requireFile(database);
        const { cancelMoveOf, moveDatabase } = await import('../move-database.js');
        terminal.write(
          to === undefined ? await cancelMoveOf(database) : await moveDatabase(database, to, terminal, json),
        );
        return 0;
      }
      const pending = await pendingMigrationsOf(database);
      if (dry_run === undefined) await runMigrations(database, terminal);
      const migrated = dry_run === undefined;
      terminal.write(
        json === true
          ? `${JSON.stringify({ database: nameOf(database), migrations: pending, migrated })}\n`
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

/** Opens a database as a host does, which migrates it. */
async function runMigrations(database: DatabaseConfig, terminal: Terminal): Promise<void> {
  const report = (sentence: string) => terminal.tell(`${sentence}\n`);
  if (database.kind === 'sqlite') {
    const { openSqliteStore } = await import('@subrail/adapters/sqlite');
    await (await openSqliteStore({ ...database, report })).close();
    return;
  }
  const { openPostgresStore } = await import('@subrail/adapters/postgres');
  await (await openPostgresStore({ ...postgresOptions(database), report })).close();
}

async function databaseOf(
  config: string | undefined,
  { environment, folder }: Terminal,
): Promise<DatabaseConfig> {
  const { readConfig } = await import('../../config/read-config.js');
  return readConfig(environment, folder, config).database;
}
