import pg from 'pg';

/** The servers of an address. One is used until it is unreachable or read-only. */
export class Servers {
  readonly #configs: readonly pg.ClientConfig[];
  #used = 0;

  constructor(configs: readonly pg.ClientConfig[]) {
    this.#configs = configs;
  }

  get count(): number {
    return this.#configs.length;
  }

  get used(): number {
    return this.#used;
  }

  config(): pg.ClientConfig {
    return this.#configs[this.#used] ?? {};
  }

  /** Turns to the next server, unless another caller has. */
  leave(server: number): void {
    if (this.#used === server) this.#used = (server + 1) % this.count;
  }
}

export class ServersPool extends pg.Pool {
  readonly #servers: Servers;

  constructor(config: pg.PoolConfig, servers: Servers) {
    super({ ...servers.config(), ...config, ...(servers.count > 1 && several(servers)) });
    this.#servers = servers;
  }

  /** A connection to the first server that is reachable and writable. */
  async connectToAny(): Promise<pg.PoolClient> {
    for (let left = this.#servers.count; ; left--) {
      const { used } = this.#servers;
      try {
        return await this.connect();
      } catch (error) {
        if (left <= 1) throw error;
        this.#servers.leave(used);
      }
    }
  }
}

/** Options of a pool that chooses the server for each connection. */
function several(servers: Servers): pg.PoolConfig {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...servers.config() });
    }
  }
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise
  return { Client, onConnect: requireWriter };
}

/** Refuses a standby, which fails every write. */
async function requireWriter(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on')
    throw new Error('connection error: the server only reads, and the address has others.');
}
