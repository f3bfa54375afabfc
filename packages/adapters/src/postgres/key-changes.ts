import { Socket } from 'node:net';
import pg from 'pg';
import { KEY_CHANGES } from '../kysely/migrations/0027-key-changes.js';
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
