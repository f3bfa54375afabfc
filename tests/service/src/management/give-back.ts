import { address, signature } from '@solana/kit';
import { sendTokens, tokenAccountOf } from '@subrail/localnet';
import type { TestWorld } from '@subrail/test-world';

/** Sends tokens of the plan's owner to a wallet, as an operator does by hand, and returns the signature. */
export async function giveBack(world: TestWorld, wallet: string, amount: bigint): Promise<string> {
  const { rpc, token, owner } = world;
  await world.inNewBlock(() => sendTokens(rpc, token, owner, address(wallet), amount));
  const account = await tokenAccountOf(token, address(wallet));
  const [latest] = await rpc.getSignaturesForAddress(account, { limit: 1, commitment: 'confirmed' }).send();
  return signature(latest?.signature ?? '');
}
