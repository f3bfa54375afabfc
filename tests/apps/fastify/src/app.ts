import { toNodeHandler } from '@subrail/adapters/node';
import fastify from 'fastify';
import { billing, mayRead } from './billing.js';
import { events, receive } from './webhooks.js';

const app = fastify();
const handler = toNodeHandler(billing, { basePath: '/billing' });
// A scope without parsers leaves the body to the handler.
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => {
    done(null);
  });
  scope.all('/billing/*', (request, reply) => {
    reply.hijack();
    handler(request.raw, reply.raw);
  });
});
await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  scope.post('/webhooks', async ({ headers, body }, reply) => {
    return reply.code((await receive({ headers, body: body as string })).status).send();
  });
});
app.get<{ Querystring: { customer: string } }>('/premium', async ({ query }, reply) => {
  if (await mayRead(query.customer)) return 'premium';
  return reply.code(402).send('pay first');
});
app.get('/events', async () => events());

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
