import { Hono } from 'hono';
import { receive } from './receive.js';
import { receiver } from './shop.js';

export const app = new Hono();
app.post('/webhooks', async ({ req }) => new Response(null, { status: await receive(req.raw, receiver) }));
