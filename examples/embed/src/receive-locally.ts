// Receives the webhooks of `npm start`, which prints the command that runs this: `npm run webhooks`, with the
// state folder and the addresses of the service and the local chain. SUBRAIL_DATABASE is read as by
// the service.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { openBilling, signerFromKeyFile } from '@subrail/adapters/node';
import { type ProjectWire, EventType } from '@subrail/core/schemas';
import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';
import { ApiError, call, subscribe, type Shop } from './checkout.js';
import { describeEvent } from './webhooks/describe-event.js';

const [state = '.subrail', url = 'http://127.0.0.1:4242', rpc = 'http://127.0.0.1:8899'] =
  process.argv.slice(2);

const answers = await fetch(`${url}/health`).then(
  () => true,
  () => false,
);
if (!answers || !existsSync(join(state, 'api-key'))) {
  console.error(
    `No service that keeps its state in ${state} answers at ${url}. Run npm start in another terminal, then the command that it prints.`,
  );
  process.exit(1);
}

const database = process.env['SUBRAIL_DATABASE'] ?? join(state, 'subrail.sqlite');
if (!/^postgres(ql)?:/.test(database) && !existsSync(database)) {
  console.error(`There is no database at ${database}. Set SUBRAIL_DATABASE as it was set for npm start.`);
  process.exit(1);
}

// A receiver in Node: the raw body, one call, and the status of the answer.
let secret = '';
const received = new Set<string>();
const server = createServer((request, response) => {
  const answer = async () => {
    const body = await buffer(request);
    const verified = await verifyWebhook({ headers: request.headers, body }, secret);
    if (received.has(verified.webhookId)) return 204;
    received.add(verified.webhookId);
    console.log(`${verified.webhookId}  ${describeEvent(verified.event)}`);
    return 204;
  };
  answer().then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(error instanceof WebhookError ? error.status : 500).end();
    },
  );
});
await new Promise<void>((resolve) =>
  server.listen(Number(process.env['PORT'] ?? 4300), '127.0.0.1', resolve),
);
const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;

// Management over HTTP needs a management key, so the same database is opened a second time, with the same
// sealing key and charger.
const billing = await openBilling({
  database,
  rpc,
  charger: join(state, 'charger.json'),
  sealingKey:
    process.env['SUBRAIL_SEALING_KEY'] ??
    (await readFile(process.env['SUBRAIL_SEALING_KEY_FILE'] ?? join(state, 'sealing-key'), 'utf8')),
  // Without it, an address in a private network is refused. `npm start` allows it for what it sends.
  settings: { privateTargets: true },
});
const shop: Shop = {
  url,
  key: (await readFile(join(state, 'api-key'), 'utf8')).trim(),
  fetch,
  wait: (seconds) => setTimeout(seconds * 1000),
};
const { id } = await call<ProjectWire>(shop, 'GET', '/project');
const { endpoints } = billing.project(id);
const known = (await endpoints.list()).find((endpoint) => endpoint.url === target);
// With another sealing key than the service's, this command would seal a secret that the service cannot open.
if (known?.can_sign === false) stopForOtherKey();
if (known === undefined) {
  const created = await endpoints.create({ url: target, types: EventType.options });
  const { sealing_key } = (await (await fetch(`${url}/health`)).json()) as { sealing_key: string };
  if (sealing_key === 'wrong') {
    await endpoints.delete(created.id);
    stopForOtherKey();
  }
  ({ secret } = created);
} else {
  // From an earlier run. Its secret was shown only then, so it gets a new one.
  await endpoints.enable(known.id);
  ({ secret } = await endpoints.rotateSecret(known.id));
}
await billing.close();
console.log(`Webhooks arrive at ${target}. Ctrl-C stops.`);

// The demo wallet subscribes, so that something happens.
const wallet = await signerFromKeyFile(join(state, 'wallet.json'));
await subscribe(shop, wallet, 'pro', 'customer-42').catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  console.log(
    error.code === 'already_subscribed'
      ? 'The demo wallet is subscribed already. Move the time of the local chain, and its renewal arrives.'
      : `The demo wallet was not subscribed: ${error.message} Webhooks of other subscriptions still arrive.`,
  );
});

function stopForOtherKey(): never {
  console.error(
    `Nothing that is sent to ${target} could be signed, because this command has another sealing key than the service. Give both the same SUBRAIL_SEALING_KEY or SUBRAIL_SEALING_KEY_FILE, or neither. If the earlier key is lost, set PORT to another port, which makes another endpoint.`,
  );
  process.exit(1);
}
