import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { billing, mayRead } from './billing.js';
import { events, receive } from './webhooks.js';

const app = new Hono();
app.all('/billing/*', ({ req }) => billing.handler(req.raw));
app.get('/premium', async (context) => {
  const allowed = await mayRead(context.req.query('customer') ?? '');
  return allowed ? context.text('premium') : context.text('pay first', 402);
});
app.post('/webhooks', async ({ req }) => new Response(null, await receive(req.raw)));
app.get('/events', (context) => context.json(events()));

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT']) });
