import express, { type Express } from 'express';
import { receive } from './receive.js';
import { receiver } from './shop.js';

export const app: Express = express();
app.post('/webhooks', express.raw({ type: '*/*' }), async ({ headers, body }, response) => {
  response.status(await receive({ headers, body: body as Buffer }, receiver)).end();
});
app.use(express.json()); // for all other routes
