import { address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, type Localnet } from '../../index.js';
import { dispatch } from '../dispatch.js';
import { TOKEN_2022, createMint } from '../../tests/token-mint.js';
import { SOL, signer } from '../../tests/transactions.js';

const authority = await signer(1);
const wallet = (await signer(2)).address;
const mint = await signer(3);
let chain: Localnet;

beforeEach(() => {
  chain = createLocalnet({ unixTime: 1_800_000_000n });
});

const call = (method: string, ...params: readonly unknown[]) =>
  dispatch(chain, { jsonrpc: '2.0', id: 1, method, params }) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };

describe('surfnet_timeTravel', () => {
  test('travels to a time in milliseconds, a slot or an epoch, and returns the new slot', () => {
    expect(call('surfnet_timeTravel', { absoluteTimestamp: 1_800_086_400_500 }).result).toMatchObject({
      absoluteSlot: chain.clock.slot,
      blockHeight: chain.blockHeight,
    });
    expect(chain.now()).toEqual(new Date(1_800_086_400_500));
    const slot = chain.clock.slot + 1_000n;
    expect(call('surfnet_timeTravel', { absoluteSlot: slot }).result).toMatchObject({ absoluteSlot: slot });
    const epoch = chain.clock.slot / 432_000n + 2n;
    expect(call('surfnet_timeTravel', { absoluteEpoch: epoch }).result).toMatchObject({
      epoch,
      slotIndex: 0n,
    });
  });

  test('refuses to travel back, and to travel without a target', () => {
    for (const config of [{ absoluteTimestamp: 1 }, { absoluteSlot: 1 }, { absoluteEpoch: 1 }, {}]) {
      expect(call('surfnet_timeTravel', config).error?.code).toBe(-32602);
    }
    expect(chain.now()).toEqual(new Date(1_800_000_000_000));
  });

  test('surfnet_resumeClock and surfnet_pauseClock start and stop the clock', () => {
    call('surfnet_resumeClock');
    expect(chain.clock.running).toBe(true);
    expect(call('surfnet_pauseClock').result).toMatchObject({ blockHeight: chain.blockHeight });
    expect(chain.clock.running).toBe(false);
  });
});

describe('surfnet_setAccount', () => {
  test('sets the given fields, with data in hexadecimal, and keeps the others', () => {
    expect(call('surfnet_setAccount', wallet, { lamports: 5, data: '00ff10' }).result).toMatchObject({
      value: null,
    });
    call('surfnet_setAccount', wallet, { owner: authority.address });
    expect(chain.getAccount(wallet)).toEqual({
      lamports: 5n,
      data: Uint8Array.of(0, 255, 16),
      owner: authority.address,
      executable: false,
    });
  });

  test('refuses sysvars, programs and data that is not hexadecimal', () => {
    const clock = address('SysvarC1ock11111111111111111111111111111111');
    expect(call('surfnet_setAccount', clock, { lamports: 5 }).error?.message).toContain('is a sysvar');
    expect(call('surfnet_setAccount', wallet, { executable: true }).error?.message).toContain(
      'chosen when it starts',
    );
    expect(call('surfnet_setAccount', wallet, { data: 'abc' }).error?.message).toContain('hexadecimal');
  });

  test('surfnet_resetAccount removes an account, and on request the accounts it owns', () => {
    chain.setAccount(wallet, { lamports: SOL });
    chain.setAccount(mint.address, { lamports: SOL, owner: wallet });
    call('surfnet_resetAccount', wallet);
    expect([chain.getAccount(wallet), chain.getAccount(mint.address)?.lamports]).toEqual([null, SOL]);
    call('surfnet_resetAccount', wallet, { includeOwnedAccounts: true });
    expect(chain.getAccount(mint.address)).toBeNull();
  });
});

describe('surfnet_setTokenAccount', () => {
  beforeEach(async () => {
    chain.airdrop(authority.address, SOL);
    await createMint(chain, authority, mint, TOKEN_2022);
  });

  test('creates the associated account, sets the given fields, and removes an authority with the string null', () => {
    const set = (update: object) => call('surfnet_setTokenAccount', wallet, mint.address, update, TOKEN_2022);
    const read = () => {
      const { result } = call(
        'getTokenAccountsByOwner',
        wallet,
        { mint: mint.address },
        { encoding: 'jsonParsed' },
      );
      return (result as { value: { account: { data: { parsed: { info: object } } } }[] }).value[0]?.account
        .data.parsed.info;
    };
    set({ amount: 1_000, state: 'frozen', delegate: authority.address, delegatedAmount: 10 });
    expect(read()).toMatchObject({
      state: 'frozen',
      tokenAmount: { amount: '1000' },
      delegate: authority.address,
      delegatedAmount: { amount: '10' },
    });
    set({ state: 'initialized', delegate: 'null' });
    expect(read()).toMatchObject({ state: 'initialized', tokenAmount: { amount: '1000' } });
    expect(read()).not.toHaveProperty('delegate');
  });

  test('refuses a balance that overflows the supply, and creates no account', () => {
    const set = (amount: bigint) =>
      call('surfnet_setTokenAccount', wallet, mint.address, { amount }, TOKEN_2022).error?.message;
    chain.setTokenAccount(authority.address, mint.address, { amount: 1n }, TOKEN_2022);
    const before = [...chain.accounts.written()];
    expect(set(2n ** 64n - 1n)).toContain('The supply of');
    expect([...chain.accounts.written()]).toEqual(before);
    expect(set(2n ** 64n - 2n)).toBeUndefined();
  });

  test('refuses wrapped SOL whose lamports would overflow, and creates no account', () => {
    const wrapped = address('So11111111111111111111111111111111111111112');
    const before = [...chain.accounts.written()];
    const { error } = call('surfnet_setTokenAccount', wallet, wrapped, { amount: 2n ** 64n - 1n });
    expect(error?.message).toContain('The lamports of');
    expect([...chain.accounts.written()]).toEqual(before);
  });

  test('refuses an account that is not a mint, and a mint of the other token program', () => {
    expect(call('surfnet_setTokenAccount', wallet, wallet, { amount: 1 }).error?.code).toBe(-32602);
    expect(call('surfnet_setTokenAccount', wallet, mint.address, { amount: 1 }).error?.code).toBe(-32602);
  });
});
