import { setTimeout as pause } from 'node:timers/promises';
import { openNetwork, startPostgres, startStandby, type PostgresServer } from '@subrail/test-postgres';

/** Something that happens to the server of a database or to its network. */
export interface ServerFault {
  readonly name: string;
  /** Lets it happen. Resolves when the server takes connections again, with whether it happened. */
  readonly strike: () => Promise<boolean>;
}

/** A PostgreSQL server behind a network, and everything that can happen to the two. */
export interface FaultyServer {
  /** The address of its database, which stays the same whichever server answers there. */
  readonly url: string;
  readonly faults: readonly ServerFault[];
  readonly remove: () => Promise<void>;
}

export async function startFaultyServer(): Promise<FaultyServer> {
  let primary = await startPostgres();
  const servers: PostgresServer[] = [primary];
  const network = await openNetwork(primary.url);

  async function failOver(): Promise<boolean> {
    const standby = await startStandby(primary);
    servers.push(standby);
    await primary.kill();
    await standby.promote();
    network.leadTo(standby.url);
    primary = standby;
    return true;
  }

  /** Nothing happens when no host has anything to commit. */
  async function loseAnswer(): Promise<boolean> {
    const lost = network.answersCut();
    network.cutAtAnswer('COMMIT');
    for (let tries = 0; network.answersCut() === lost && tries < 1_000; tries += 1) await pause(10);
    network.cutNoMore();
    return network.answersCut() > lost;
  }

  const faults: readonly ServerFault[] = [
    {
      name: 'killed',
      async strike() {
        await primary.kill();
        await primary.start();
        return true;
      },
    },
    {
      name: 'stopped',
      async strike() {
        await primary.stop();
        await primary.start();
        return true;
      },
    },
    { name: 'replaced by a standby', strike: failOver },
    {
      name: 'all connections ended',
      async strike() {
        await primary.endConnections();
        return true;
      },
    },
    {
      name: 'network cut',
      async strike() {
        network.cut();
        return true;
      },
    },
    { name: 'answer to a commit lost', strike: loseAnswer },
  ];
  return {
    url: network.url,
    faults,
    async remove() {
      await network.close();
      for (const server of servers) await server.remove();
    },
  };
}
