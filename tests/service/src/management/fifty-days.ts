import type { KeyPairSigner } from '@solana/kit';
import { DAY, MINUTE, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

/** A world whose token has a price that a test can change. */
export interface FiftyDays {
  readonly world: TestWorld;
  readonly price: { usd: string | null };
  readonly lost: KeyPairSigner;
  readonly paying: KeyPairSigner;
}

/** Lets days pass, and the service work on each. */
async function passDays(world: TestWorld, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    world.advance(DAY);
    await world.work();
  }
}

/** Four customers: the first pays, the second is won back, the third is lost, and the fourth is late. */
export async function playFiftyDays(): Promise<FiftyDays> {
  const price: FiftyDays['price'] = { usd: '2' };
  const world = await openTestWorld({
    store: 'sqlite',
    ports: { prices: { usd: () => Promise.resolve(price.usd) } },
  });
  const [paying, wonBack, lost, late] = await Promise.all(
    [2n, 1n, 1n, 1n].map((months) => world.wallet(months * PRICE)),
  );
  if (paying === undefined || wonBack === undefined || lost === undefined || late === undefined)
    throw new Error('Four wallets were made.');
  for (const wallet of [paying, wonBack, lost]) await world.subscribe(wallet);
  world.advance(MINUTE);
  await passDays(world, 20);
  await world.subscribe(late);
  await passDays(world, 10);
  await world.give(wonBack, PRICE);
  await passDays(world, 20);
  return { world, price, lost, paying };
}
