import { getTransferSolInstruction } from '@solana-program/system';
import { AccountRole, getProgramDerivedAddress, type Address, type Signature } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, localnetRpc, localnetRpcSubscriptions, type Localnet } from '../index.js';
import type { RuntimeInstruction } from '../runtime/program.js';
import { closeAuthority, initAuthority, key, PROGRAM } from '../program/tests/instruction-builders.js';
import { createMint, succeed, TOKEN } from './token-mint.js';
import { SOL, signed, signer } from './transactions.js';

const payer = await signer(1);
const other = await signer(2);
const mint = await signer(3);

const pay = (amount: bigint) =>
  getTransferSolInstruction({ source: payer, destination: other.address, amount });

function chainWithMoney(closeBlocks?: 'transaction' | 'clock'): Localnet {
  const chain = createLocalnet(closeBlocks === undefined ? {} : { closeBlocks });
  for (const { address } of [payer, other]) chain.airdrop(address, SOL);
  return chain;
}

/** An instruction of the program's builders, as kit sends it. Its only signer is the fee payer. */
function forKit({ programAddress, accounts, data }: RuntimeInstruction) {
  return {
    programAddress,
    data,
    accounts: accounts.map(({ address, isSigner, isWritable }) =>
      address === payer.address
        ? { address, role: isSigner ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE, signer: payer }
        : { address, role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY },
    ),
  };
}

/** The slot in which the authority at an address was created. */
function generationAt(chain: Localnet, authority: Address): bigint {
  return Buffer.from(chain.getAccount(authority)?.data ?? []).readBigInt64LE(98);
}

// program#blocks-of-the-local-chain
describe('every change closes its block', () => {
  let chain: Localnet;
  beforeEach(() => {
    chain = chainWithMoney();
  });

  test('a transaction that was built again after it landed lands again', async () => {
    const first = chain.send(await signed(chain, payer, [pay(7n)]));
    const second = chain.send(await signed(chain, payer, [pay(7n)]));
    expect([first, second]).toMatchObject([
      { landed: true, error: null },
      { landed: true, error: null },
    ]);
    expect(second.signature).not.toBe(first.signature);
    expect(second.slot).toBe(first.slot + 1n);
    expect(chain.getAccount(other.address)?.lamports).toBe(SOL + 14n);
  });

  // program#authority-generations
  test('an authority that was closed and created again has a later generation', async () => {
    await createMint(chain, payer, mint);
    const tokenAccount = chain.setTokenAccount(payer.address, mint.address, { amount: 5n });
    const [authority] = await getProgramDerivedAddress({
      programAddress: PROGRAM,
      seeds: ['SubscriptionAuthority', key(payer.address), key(mint.address)],
    });
    const init = forKit(
      initAuthority({
        user: payer.address,
        authority,
        mint: mint.address,
        tokenAccount,
        tokenProgram: TOKEN,
      }),
    );
    await succeed(chain, payer, [init]);
    const before = generationAt(chain, authority);
    await succeed(chain, payer, [forKit(closeAuthority({ user: payer.address, authority }))]);
    await succeed(chain, payer, [init]);
    expect(generationAt(chain, authority)).toBe(before + 2n);
  });

  test('no time passes, and the block keeps its time', async () => {
    const [now, { slot }] = [chain.now(), chain.clock];
    const { blockhash } = chain.latestBlockhash();
    chain.send(await signed(chain, payer, [pay(1n)]));
    expect(chain.now()).toEqual(now);
    expect(chain.clock.slot).toBe(slot + 1n);
    expect(chain.latestBlockhash().blockhash).not.toBe(blockhash);
    expect(chain.clock.blockTime(slot + 1n)).toBe(BigInt(now.getTime()) / 1000n);
  });

  test('a transaction that fails on chain and an account set from outside close their blocks too', async () => {
    const { slot } = chain.clock;
    expect(chain.send(await signed(chain, payer, [pay(5n * SOL)]))).toMatchObject({ landed: true });
    expect(chain.clock.slot).toBe(slot + 1n);
    chain.setAccount(other.address, { lamports: 1n });
    expect(chain.clock.slot).toBe(slot + 2n);
  });

  test('what does not land closes no block: a rejection, a failed preflight, a simulation', async () => {
    const { slot } = chain.clock;
    const wire = await signed(chain, payer, [pay(5n * SOL)]);
    expect(chain.sendChecked(wire)).toMatchObject({ landed: false });
    chain.simulate(wire);
    const blockhash = createLocalnet().latestBlockhash().blockhash;
    expect(chain.send(await signed(chain, payer, [], { blockhash }))).toMatchObject({ landed: false });
    expect(chain.clock.slot).toBe(slot);
  });

  test('what landed is confirmed at once, and clients hear of its slot', async () => {
    const abort = new AbortController();
    const subscriptions = localnetRpcSubscriptions(chain);
    const slots = await subscriptions.slotNotifications().subscribe({ abortSignal: abort.signal });
    const notified = slots[Symbol.asyncIterator]().next();
    const { slot, signature } = chain.send(await signed(chain, payer, [pay(1n)]));
    expect((await notified).value).toMatchObject({ parent: slot, slot: slot + 1n });
    abort.abort();
    const { value } = await localnetRpc(chain)
      .getSignatureStatuses([signature as Signature])
      .send();
    expect(value[0]).toMatchObject({ slot, confirmationStatus: 'confirmed', confirmations: 1n });
  });
});

describe('blocks that only the clock closes', () => {
  test('hold every transaction until time moves, on one blockhash', async () => {
    const chain = chainWithMoney('clock');
    const { slot } = chain.clock;
    const wires = await Promise.all([1n, 2n, 3n].map((amount) => signed(chain, payer, [pay(amount)])));
    expect(wires.map((wire) => chain.send(wire).slot)).toEqual([slot, slot, slot]);
    expect(chain.clock.slot).toBe(slot);
    // The same transaction, built again within the block, is the same transaction.
    expect(chain.send(await signed(chain, payer, [pay(1n)]))).toMatchObject({ error: 'AlreadyProcessed' });
  });

  // program#commitment-and-rpc-methods
  test('confirm what landed once their slot is over', async () => {
    const chain = chainWithMoney('clock');
    const rpc = localnetRpc(chain);
    const signature = chain.send(await signed(chain, payer, [pay(1n)])).signature as Signature;
    const transaction = () =>
      rpc
        .getTransaction(signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: 0,
        })
        .send();
    const status = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
    expect(await status()).toMatchObject({ confirmationStatus: 'processed', confirmations: 0n });
    expect(await transaction()).toBeNull();
    chain.advance({ slots: 1 });
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 1n });
    expect(await transaction()).not.toBeNull();
  });
});
