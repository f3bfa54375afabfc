// A Worker: no Node, no file, no native addon. The service runs on WebCrypto, fetch and a store in memory.

import { createClock, createFetchSender, createWebCrypto, createWebRandom } from '@subrail/adapters/web';
import { createMemoryStore } from '@subrail/adapters/memory';
import { createSolanaChain, signerFromSecret } from '@subrail/adapters/solana';
import { createBilling, type Billing } from '@subrail/core';
import { verifyWebhook, WebhookError } from '@subrail/core/webhooks';

/** What the platform gives to the Worker. */
export interface Env {
  readonly SUBRAIL_CHAIN: string;
  readonly SUBRAIL_CHARGER_KEY: string;
  readonly SUBRAIL_SEALING_KEY: string;
  readonly SUBRAIL_PROJECT: string;
  readonly WEBHOOK_SECRET: string;
}

let opened: Promise<Billing> | null = null;

/** The service of this Worker. */
export function billingOf(env: Env): Promise<Billing> {
  return (opened ??= open(env));
}

async function open({ SUBRAIL_CHAIN, SUBRAIL_CHARGER_KEY, SUBRAIL_SEALING_KEY }: Env): Promise<Billing> {
  const clock = createClock();
  return createBilling({
    store: createMemoryStore(),
    chain: createSolanaChain({
      rpc: [SUBRAIL_CHAIN],
      charger: await signerFromSecret(SUBRAIL_CHARGER_KEY, 'SUBRAIL_CHARGER_KEY'),
      network: 'devnet',
      clock,
    }),
    clock,
    random: createWebRandom(),
    crypto: createWebCrypto(
      Uint8Array.from(atob(SUBRAIL_SEALING_KEY), (character) => character.charCodeAt(0)),
    ),
    sender: createFetchSender({ allowPrivate: true }),
    settings: { privateTargets: true },
    handler: { basePath: '/billing', clientAddress: ({ headers }) => headers.get('cf-connecting-ip') },
  });
}

const events: string[] = [];

async function receive(request: Request, env: Env): Promise<Response> {
  try {
    events.push((await verifyWebhook(request, env.WEBHOOK_SECRET)).event.type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(null, { status: error.status });
    throw error;
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const billing = await billingOf(env);
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case '/premium': {
        const shop = billing.project(env.SUBRAIL_PROJECT);
        const query = { external_id: searchParams.get('customer') ?? '', plan: 'pro' };
        const { access } = await shop.access.check(query);
        return access ? new Response('premium') : new Response('pay first', { status: 402 });
      }
      case '/webhooks':
        return receive(request, env);
      case '/events':
        return Response.json(events);
      default:
        return billing.handler(request);
    }
  },
};
