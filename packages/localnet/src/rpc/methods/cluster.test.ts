import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, localnetRpc, type Localnet } from '../../index.js';
import { SOL, signer } from '../../tests/transactions.js';

const payer = await signer(1);
let chain: Localnet;
let rpc: ReturnType<typeof localnetRpc>;

beforeEach(() => {
  chain = createLocalnet({ unixTime: 1_800_000_000n });
  rpc = localnetRpc(chain);
  chain.airdrop(payer.address, SOL);
});

describe('slots, heights and identity', () => {
  // program#commitment-and-rpc-methods
  test('confirmed is the newest closed slot and finalized 31 slots behind, but never before the first slot', async () => {
    chain = createLocalnet();
    rpc = localnetRpc(chain);
    const first = chain.firstSlot;
    expect(await rpc.getSlot({ commitment: 'confirmed' }).send()).toBe(first);
    expect(await rpc.getSlot({ commitment: 'finalized' }).send()).toBe(first);
    chain.advance({ slots: 40 });
    expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBe(first + 40n);
    expect(await rpc.getSlot({ commitment: 'finalized' }).send()).toBe(first + 9n);
    expect(await rpc.getSlot({ commitment: 'confirmed' }).send()).toBe(first + 39n);
    expect(await rpc.getBlockHeight({ commitment: 'confirmed' }).send()).toBe(39n);
    expect(await rpc.getBlockHeight({ commitment: 'finalized' }).send()).toBe(9n);
  });

  test('an epoch has 432,000 slots', async () => {
    chain.advance({ slots: 432_001 });
    const info = await rpc.getEpochInfo({ commitment: 'processed' }).send();
    expect(info).toEqual({
      absoluteSlot: chain.clock.slot,
      blockHeight: chain.blockHeight,
      epoch: chain.clock.slot / 432_000n,
      slotIndex: chain.clock.slot % 432_000n,
      slotsInEpoch: 432_000n,
      transactionCount: 1n,
    });
  });

  test('the methods return health, version and identity, and a genesis hash that differs between chains', async () => {
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(await rpc.getVersion().send()).toMatchObject({ 'solana-core': '3.0.0' });
    expect((await rpc.getIdentity().send()).identity).toHaveLength(44);
    const [one, two] = [
      await rpc.getGenesisHash().send(),
      await localnetRpc(createLocalnet()).getGenesisHash().send(),
    ];
    expect(one).not.toBe(two);
    expect(await rpc.minimumLedgerSlot().send()).toBe(chain.firstSlot);
  });
});
