import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { KEY_CHANGES } from '../kysely/migrations/0001-key-changes.js';
import { serversOf, type PostgresOptions } from './pool.js';
import type { Servers } from './servers.js';

/** How long it waits, in milliseconds, before it connects again. */
const PAUSE_MS = 2_000;

/** The types lack it: the connection does not keep the process alive any more. */
type Client = pg.Client & { unref(): void };

/**
 * Counts the notifications of changed API keys and projects. It listens on a separate connection, which it opens when the count is read
 * first, and opens again when it ends. A change in between is not counted, so a cache that uses the count needs a maximum age too.
 */
export class KeyChanges {
  readonly #servers: Servers;
  #count = 0;
  #client: Client | null = null;
  #socket = new Socket();
  #pause: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** The changes so far. */
  count(): number {
    if (this.#client === null && !this.#isClosed) this.#listen();
    return this.#count;
  }

  /** Says goodbye to the server, and does not wait for it: it may answer nothing any more. */
  close(): void {
    this.#isClosed = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    void this.#client?.end();
    this.#socket.destroySoon();
  }

  #listen(): void {
    const socket = new Socket();
    const { used } = this.#servers;
    const client = new pg.Client({ ...this.#servers.config(), stream: () => socket }) as Client;
    this.#client = client;
    this.#socket = socket;
    client.on('notification', () => (this.#count += 1));
    // An error ends the connection too.
    client.on('error', () => undefined);
    client.once('end', () => {
      this.#servers.leave(used);
      this.#listenLater();
    });
    client
      .connect()
      .then(() => {
        client.unref();
        return client.query(`listen ${KEY_CHANGES}`);
      })
      .catch(() => client.end());
  }

  #listenLater(): void {
    if (this.#isClosed) return;
    this.#pause = setTimeout(() => {
      this.#listen();
    }, PAUSE_MS).unref();
  }
}

/** A connection that listens, and the stores that count its notifications. */
interface Shared {
  readonly changes: KeyChanges;
  users: number;
}

/** Under which name the process has them, also for another copy of this module, as a bundler makes one at each change of an app. */
const SHARED = Symbol.for('@subrail/adapters: listeners of Postgres databases');

/**
 * Counts the notifications of a database for one store. The stores of a process that connect alike share the connection that listens,
 * because an app that is loaded again in development opens a store without closing the one before.
 */
export function openKeyChanges(options: PostgresOptions): Pick<KeyChanges, 'count' | 'close'> {
  const { url, timeouts, tls } = options;
  // Settings of TLS may have functions, which cannot be compared.
  if (tls !== undefined) return new KeyChanges(serversOf(options));
  const listeners = ((globalThis as { [SHARED]?: Map<string, Shared> })[SHARED] ??= new Map());
  // The address has a password, which stays where it is.
  const key = createHash('sha256')
    .update(JSON.stringify([url, timeouts]))
    .digest('hex');
  const shared = listeners.get(key) ?? { changes: new KeyChanges(serversOf(options)), users: 0 };
  listeners.set(key, shared);
  shared.users++;
  let isOpen = true;
  return {
    count: () => shared.changes.count(),
    close() {
      if (isOpen) shared.users--;
      isOpen = false;
      if (shared.users > 0 || listeners.get(key) !== shared) return;
      listeners.delete(key);
      shared.changes.close();
    },
  };
}
