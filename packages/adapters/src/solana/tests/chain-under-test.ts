import type { KeyPairSigner, RpcTransport } from '@solana/kit';
import type { Chain } from '@subrail/core/ports';
import type { ChainUnderTest } from '@subrail/core/testing';
import { localnetTransport, signMessage } from '@subrail/localnet';
import { createSolanaChain } from '../index.js';
import { charger, signerOf, untimed } from './chain-on.js';
import { LocalWorld, owner, receiver, signed, wallet } from './local-world.js';

const stranger = await signerOf(14);
const SIGNERS = new Map<string, KeyPairSigner>(
  [owner, wallet, stranger].map((signer) => [signer.address, signer]),
);

function signerWith(address: string): KeyPairSigner {
  const signer = SIGNERS.get(address);
  if (signer === undefined) throw new Error(`No key of ${address} is known here.`);
  return signer;
}

/** A transaction can land for 150 blocks, and a block is finalized 31 slots later. */
const SLOTS_TO_EXPIRE = 150 + 31 + 1;

/** The Solana adapter on a local chain, changed by `change`, and what the kit of `Chain` needs. */
export async function solanaUnderTest(
  change: (chain: Chain) => Chain = (chain) => chain,
): Promise<ChainUnderTest> {
  const world = await LocalWorld.open();
  const { net, kind, plan } = world;
  await world.setTokenAccount(owner.address);
  net.airdrop(stranger.address, 1_000_000_000n);

  let connected = true;
  const local = localnetTransport(net);
  const rpc: RpcTransport = (request) =>
    connected ? local(request) : Promise.reject(new Error('The connection is cut.'));
  return {
    chain: change(createSolanaChain({ rpc, charger, network: 'devnet', ...untimed(() => net.now()) })),
    mint: { address: plan.mint, tokenProgram: kind.program, decimals: 6 },
    owner: owner.address,
    wallet: wallet.address,
    receiver: receiver.address,
    stranger: stranger.address,
    sign: async (transaction, address) => signed(transaction, signerWith(address)),
    signText: (text, address) => signMessage(signerWith(address), text),
    setBalance: (amount) =>
      world.changeSource((data) => {
        new DataView(data.buffer).setBigUint64(64, amount, true);
      }),
    balanceOf: async (of) => {
      const known = [owner, wallet, receiver, stranger].find(({ address }) => address === of);
      return known === undefined ? 0n : world.balance(known.address);
    },
    advance: async (seconds) => net.advance({ seconds }),
    // What is sent lands at once. The next transaction gets another blockhash, so an equal one is no copy.
    settle: async () => net.advance({ slots: 1 }),
    expire: async () => net.advance({ slots: SLOTS_TO_EXPIRE }),
    disconnect: () => {
      connected = false;
    },
    reconnect: () => {
      connected = true;
    },
    close: async () => undefined,
  };
}
