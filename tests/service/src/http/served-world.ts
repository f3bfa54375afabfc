import { createRefuse, createRequestHandler } from '@subrail/core';
import { serve } from '@subrail/host-node';
import { openTestWorld, type TestWorld, type TestWorldOptions } from '@subrail/test-world';

/** A test world whose service also listens on a socket. */
export interface ServedWorld {
  readonly world: TestWorld;
  /** The address of the server, without a path. */
  readonly url: string;
  /** A key of the world's project. */
  readonly key: string;
  close(): Promise<void>;
}

/** Opens a test world and serves it as the host does. */
export async function openServedWorld(options: TestWorldOptions = {}): Promise<ServedWorld> {
  const world = await openTestWorld(options);
  const { key } = await world.billing.project(world.projectId).keys.create();
  const { random, logger } = world.billing.service;
  const server = await serve({
    ...{ host: '127.0.0.1', port: 0, trustedProxies: 0, shutdownTimeoutMs: 5_000 },
    handle: createRequestHandler(world.billing, { walletRoutes: true }),
    refuse: createRefuse(random),
    logger,
  });
  return {
    world,
    url: `http://127.0.0.1:${server.port}`,
    key,
    async close() {
      await server.stop();
      await world.close();
    },
  };
}
