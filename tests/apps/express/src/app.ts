import { toNodeHandler } from '@subrail/adapters/node';
import express from 'express';
import { billing, mayRead } from './billing.js';
import { events, receive } from './webhooks.js';

const app = express();
// A webhook is verified over its raw body, so its route comes before the parser.
app.post('/webhooks', express.raw({ type: '*/*' }), async ({ headers, body }, response) => {
  response.sendStatus((await receive({ headers, body: body as Buffer })).status);
});
if (process.env['BEHIND_PARSER'] === 'yes') app.use(express.json());
app.use('/billing', toNodeHandler(billing));
app.get('/premium', async ({ query }, response) => {
  if (await mayRead(String(query['customer']))) response.send('premium');
  else response.status(402).send('pay first');
});
app.get('/events', (_request, response) => {
  response.json(events());
});

app.listen(Number(process.env['PORT']), '127.0.0.1');
