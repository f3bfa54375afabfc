import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { KEY_CHANGES_CHANNEL } from '../kysely/migrations/0001-key-changes.js';
import { serversOf, type PostgresOptions } from './pool.js';
import type { Servers } from './servers.js';

const PAUSE_MS = 2_000;

/** Missing in the types: lets the process end in spite of the connection. */
type Client = pg.Client & { unref(): void };

/**
 * Counts notifications of changed API keys and projects, on a connection of its own, opened at the first
 * count and again when it ends. A change in between is not counted, so a cache needs a maximum age too.
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

  count(): number {
    if (this.#client === null && !this.#isClosed) this.#listen();
    return this.#count;
  }

  /** Closes without waiting for the server, which may not answer any more. */
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
        return client.query(`listen ${KEY_CHANGES_CHANNEL}`);
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

interface Shared {
  readonly changes: KeyChanges;
  users: number;
}

/**
 * A global name, so that copies of this module share connections: bundlers make one at each change of an app.
 */
const SHARED = Symbol.for('@subrail/adapters: listeners of Postgres databases');

/**
 * Counts the notifications of a database for one store. Stores of a process with the same address share a
 * connection: an app that reloads in development opens stores without closing the one before.
 */
export function openKeyChanges(options: PostgresOptions): Pick<KeyChanges, 'count' | 'close'> {
  const { url, timeouts, tls } = options;
  // TLS settings may have functions, which cannot be compared.
  if (tls !== undefined) return new KeyChanges(serversOf(options));
  const listeners = ((globalThis as { [SHARED]?: Map<string, Shared> })[SHARED] ??= new Map());
  // Hashed, because the address has a password.
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
