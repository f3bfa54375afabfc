import { randomBytes } from 'node:crypto';
import { address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getMintEncoder } from '@solana-program/token-2022';
import { createClock } from '@subrail/adapters/web';
import { openBilling, type OpenedBilling } from '@subrail/adapters/node';
import type { Clock, HttpPost } from '@subrail/core/ports';
import { createLocalnet, localnetRpc, localnetTransport, type Localnet } from '@subrail/localnet';
import type { Shop } from '../checkout.js';
import { setUp } from '../set-up.js';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const PRICE = 5_000_000n;

/** A shop with a plan and an endpoint on a local chain, and a customer's wallet with ten times the price. */
export interface LocalShop {
  readonly solana: Localnet;
  readonly billing: OpenedBilling;
  readonly shop: Shop;
  readonly wallet: KeyPairSigner;
  /** The secret of the endpoint. */
  readonly secret: string;
  /** Every webhook so far. Each was answered 204. */
  readonly posts: readonly HttpPost[];
  passDays(days: number): Promise<void>;
}

export async function openLocalShop(): Promise<LocalShop> {
  const solana = createLocalnet();
  const posts: HttpPost[] = [];
  const system = createClock();
  const clock: Clock = {
    now: () => solana.now(),
    sleep: (ms, signal) => system.sleep(ms, signal),
  };
  const [charger, owner, wallet, mint] = await Promise.all(
    Array.from({ length: 4 }, () => generateKeyPairSigner()),
  );
  if (!charger || !owner || !wallet || !mint) throw new Error('Expected four keys.');
  for (const signer of [charger, owner, wallet]) solana.airdrop(signer.address, 1_000_000_000n);
  solana.setAccount(mint.address, {
    lamports: 10_000_000n,
    owner: TOKEN_PROGRAM,
    data: new Uint8Array(
      getMintEncoder().encode({
        mintAuthority: owner.address,
        supply: 0n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: null,
        extensions: null,
      }),
    ),
  });
  solana.setTokenAccount(owner.address, mint.address, { amount: 0n });
  solana.setTokenAccount(wallet.address, mint.address, { amount: 10n * PRICE });
  const billing = await openBilling({
    database: ':memory:',
    rpc: localnetTransport(solana),
    charger,
    sealingKey: randomBytes(32),
    handler: { basePath: '/billing' },
    clock,
    sender: {
      async post(post) {
        posts.push(post);
        return { kind: 'answered', status: 204, retryAfter: null, excerpt: '' };
      },
    },
  });
  const url = 'https://shop.example.com/webhooks';
  const { key, secret } = await setUp(billing, localnetRpc(solana), owner, mint.address, url);
  return {
    ...{ solana, billing, wallet, secret, posts },
    shop: {
      url: 'http://shop.test/billing',
      key,
      fetch: (request) => billing.handler(request),
      wait: async () => undefined,
    },
    async passDays(days) {
      for (let day = 0; day < days; day += 1) {
        solana.advance({ seconds: 86_400 });
        await billing.worker.charge();
        await billing.worker.deliver();
      }
    },
  };
}
