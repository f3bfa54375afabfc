import { address, type Address, type Base58EncodedBytes, type Base64EncodedBytes } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, localnetRpc, type Localnet } from '../../index.js';
import { SOL, signer } from '../../tests/transactions.js';

const wallet = (await signer(1)).address;
const owner = (await signer(2)).address;
const missing = (await signer(3)).address;
const data = Uint8Array.from({ length: 200 }, (_, index) => index);
let chain: Localnet;
let rpc: ReturnType<typeof localnetRpc>;

beforeEach(() => {
  chain = createLocalnet();
  rpc = localnetRpc(chain);
  chain.setAccount(wallet, { lamports: SOL, owner, data });
});

const RENT_SYSVAR = address('SysvarRent111111111111111111111111111111111');

describe('getAccountInfo and getMultipleAccounts', () => {
  test('returns every field of an account, with its data in base64, at the newest confirmed slot', async () => {
    chain.advance({ slots: 3 });
    expect(await rpc.getAccountInfo(wallet, { encoding: 'base64' }).send()).toEqual({
      context: { slot: chain.clock.slot - 1n, apiVersion: '3.0.0' },
      value: {
        lamports: SOL,
        owner,
        executable: false,
        rentEpoch: 18_446_744_073_709_551_615n,
        space: 200n,
        data: [Buffer.from(data).toString('base64'), 'base64'],
      },
    });
  });

  test('returns a slice of the data, in base58 only up to 128 bytes', async () => {
    const dataSlice = { offset: 1, length: 3 };
    const short = await rpc.getAccountInfo(wallet, { encoding: 'base58', dataSlice }).send();
    expect(short.value?.data).toEqual(['Ldp', 'base58']);
    expect(short.value?.space).toBe(200n);
    await expect(rpc.getAccountInfo(wallet, { encoding: 'base58' }).send()).rejects.toThrow('128 bytes');
    const past = await rpc
      .getAccountInfo(wallet, { encoding: 'base64', dataSlice: { offset: 199, length: 9 } })
      .send();
    expect(past.value?.data[0]).toBe('xw==');
  });

  test('a missing account is null at its position', async () => {
    const { value } = await rpc.getMultipleAccounts([missing, wallet], { encoding: 'base64' }).send();
    expect(value.map((account) => account?.lamports ?? null)).toEqual([null, SOL]);
  });

  test('minContextSlot is refused until the chain has reached it', async () => {
    const minContextSlot = chain.clock.slot;
    const request = () =>
      rpc.getAccountInfo(wallet, { encoding: 'base64', minContextSlot, commitment: 'confirmed' }).send();
    await expect(request()).rejects.toThrow('Minimum context slot has not been reached');
    chain.advance({ slots: 1 });
    expect((await request()).value?.lamports).toBe(SOL);
  });

  // program#rent, program#program-addresses
  test('sysvars and programs can be read', async () => {
    const rent = await rpc
      .getAccountInfo(address('SysvarRent111111111111111111111111111111111'), { encoding: 'base64' })
      .send();
    const bytes = Buffer.from(rent.value?.data[0] ?? '', 'base64');
    expect([bytes.readBigUInt64LE(0), bytes.readDoubleLE(8)]).toEqual([6_960n, 1]);
    const program = await rpc
      .getAccountInfo(address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44'), { encoding: 'base64' })
      .send();
    expect(program.value?.executable).toBe(true);
  });
});

describe('getProgramAccounts', () => {
  const find = async (filters: Parameters<typeof rpc.getProgramAccounts>[1]): Promise<Address[]> => {
    const found = await rpc.getProgramAccounts(owner, { encoding: 'base64', ...filters }).send();
    return (found as unknown as { pubkey: Address }[]).map(({ pubkey }) => pubkey);
  };

  test('returns all accounts that a program owns at the moment', async () => {
    chain.setAccount(missing, { lamports: SOL, owner });
    expect(await find({})).toEqual([wallet, missing]);
    chain.setAccount(missing, { owner: wallet });
    chain.setAccount(wallet, { lamports: 0n });
    expect(await find({})).toEqual([]);
  });

  test('returns the accounts that match every filter, by size and by bytes at an offset', async () => {
    chain.setAccount(missing, { lamports: SOL, owner, data: Uint8Array.of(9, 1, 2, 3) });
    const base58 = {
      memcmp: { offset: 1n, bytes: 'Ldp' as Base58EncodedBytes, encoding: 'base58' as const },
    };
    const base64 = {
      memcmp: { offset: 1n, bytes: 'AQID' as Base64EncodedBytes, encoding: 'base64' as const },
    };
    expect(await find({ filters: [base58] })).toEqual([wallet, missing]);
    expect(await find({ filters: [base64, { dataSize: 4n }] })).toEqual([missing]);
    expect(await find({ filters: [{ memcmp: { ...base64.memcmp, offset: 2n } }] })).toEqual([]);
    expect(await find({ filters: [{ memcmp: { ...base64.memcmp, offset: 199n } }] })).toEqual([]);
  });

  test('returns the context and a slice of the data on request', async () => {
    const found = await rpc
      .getProgramAccounts(owner, {
        encoding: 'base64',
        withContext: true,
        dataSlice: { offset: 0, length: 2 },
      })
      .send();
    expect(found).toMatchObject({
      context: { slot: chain.clock.slot - 1n },
      value: [{ pubkey: wallet, account: { data: ['AAE=', 'base64'] } }],
    });
  });
});

describe('lamports', () => {
  // program#rent
  test("returns a balance, and the rent at the chain's rate", async () => {
    expect((await rpc.getBalance(wallet).send()).value).toBe(SOL);
    expect((await rpc.getBalance(missing).send()).value).toBe(0n);
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    const cheap = localnetRpc(createLocalnet({ lamportsPerByte: 5_080n }));
    expect(await cheap.getMinimumBalanceForRentExemption(165n).send()).toBe(1_488_440n);
  });

  // program#rent
  test.each([
    [6_960n, {}],
    [5_080n, { lamportsPerByte: 5_080n }],
  ])('programs read the rate of the chain from the Rent sysvar: %s', async (rate, options) => {
    const { value } = await localnetRpc(createLocalnet(options))
      .getAccountInfo(RENT_SYSVAR, { encoding: 'base64' })
      .send();
    const data = Buffer.from(value?.data[0] ?? '', 'base64');
    expect([data.length, data.readBigUInt64LE(0), data.readDoubleLE(8)]).toEqual([17, rate, 1]);
  });

  test('two equal airdrops in one block are two transactions', async () => {
    const first = await rpc.requestAirdrop(missing, SOL as never).send();
    const second = await rpc.requestAirdrop(missing, SOL as never).send();
    expect((await rpc.getBalance(missing).send()).value).toBe(2n * SOL);
    const { value } = await rpc.getSignatureStatuses([first, second]).send();
    expect(value.map((status) => status?.confirmationStatus)).toEqual(['confirmed', 'confirmed']);
  });

  test('an airdrop that is too small for rent or too large is refused and changes nothing', async () => {
    const before = [...chain.accounts.written()].length;
    await expect(rpc.requestAirdrop(missing, 1n as never).send()).rejects.toThrow(
      'The airdrop of 1 lamports failed',
    );
    expect(() => chain.airdrop(missing, 2n ** 63n)).toThrow('An airdrop has at most');
    expect([...chain.accounts.written()].length).toBe(before);
  });
});
