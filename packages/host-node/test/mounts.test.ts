import { createPlainRefusal, type Handler } from '@subrail/core';
import { afterEach, expect, test } from 'vitest';

import { answerRoutes } from '../../core/src/http/answer-routes.js';
import { serveRoutes } from '../../core/src/http/serve-routes.js';
import { ASKED, withoutId } from '../../core/test/http/asked.js';
import { THINGS, asking, world } from '../../core/test/http/world.js';
import { serve, type Server } from '../src/http/serve.js';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** The things on a port, as a handler that sends each request there. */
async function served(): Promise<Handler> {
  const { service } = world().billing;
  const server = await serve({
    ...{ host: '127.0.0.1', port: 0, trustedProxies: 0, graceMs: 5_000, logger: service.logger },
    handle: answerRoutes(service, THINGS),
    refuse: createPlainRefusal(service.random),
  });
  servers.push(server);
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`http://127.0.0.1:${server.port}${pathname}${search}`, request));
  };
}

/** What a connection needs, and the length of the text beside it. */
const OF_THE_WIRE = ['connection', 'content-length', 'date', 'keep-alive'];

test.each(ASKED)(
  '%s has the same status, headers and body over the wire as over fetch',
  async (_, path, ask) => {
    const mounted = await asking(serveRoutes(world().billing.service, THINGS))(path, ask);
    const wired = await asking(await served())(path, ask);
    const headersOf = ({ headers }: typeof mounted) =>
      [...headers]
        .filter(([name]) => !OF_THE_WIRE.includes(name))
        .map(([name, value]) => `${name}: ${withoutId(value)}`);
    expect(wired.status).toBe(mounted.status);
    expect(withoutId(wired.text)).toBe(withoutId(mounted.text));
    expect(headersOf(wired)).toEqual(headersOf(mounted));
  },
);
