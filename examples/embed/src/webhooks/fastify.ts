import fastify from 'fastify';
import { receive } from './receive.js';
import { receiver } from './shop.js';

export const app = fastify();
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post('/webhooks', async ({ headers, body }, reply) =>
    reply.code(await receive({ headers, body: body as Buffer }, receiver)).send(),
  );
});
