import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { receive } from './receive.js';
import { receiver } from './shop.js';

export const server = createServer((request, response) => {
  buffer(request)
    .then((body) => receive({ headers: request.headers, body }, receiver))
    .then(
      (status) => response.writeHead(status).end(),
      // Not applied, so the service sends it again.
      () => response.writeHead(500).end(),
    );
});
