import {
  fetchMint,
  fetchToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022';
import { address, type Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLocalnet, localnetRpc, type Localnet } from '../../index.js';
import { TOKEN, TOKEN_2022, createMint, mintTo, succeed } from '../../tests/token-mint.js';
import { SOL, signer } from '../../tests/transactions.js';

const authority = await signer(1);
const alice = await signer(2);
const bob = await signer(3);
const mint = await signer(4);
const feeMint = await signer(5);
let chain: Localnet;
let rpc: ReturnType<typeof localnetRpc>;

beforeEach(async () => {
  chain = createLocalnet();
  rpc = localnetRpc(chain);
  chain.airdrop(authority.address, SOL);
  chain.airdrop(alice.address, SOL);
  await createMint(chain, authority, mint);
  await createMint(chain, authority, feeMint, TOKEN_2022);
});

describe('token methods', () => {
  test('the methods return balances and supply in the smallest unit, as decimal text and as a number', async () => {
    const token = await mintTo(chain, authority, mint.address, alice.address, 1_500_000n);
    expect((await rpc.getTokenAccountBalance(token).send()).value).toEqual({
      amount: '1500000',
      decimals: 6,
      uiAmount: 1.5,
      uiAmountString: '1.5',
    });
    expect((await rpc.getTokenSupply(mint.address).send()).value.amount).toBe('1500000');
    await expect(rpc.getTokenAccountBalance(alice.address).send()).rejects.toThrow('not a Token account');
    await expect(rpc.getTokenAccountBalance(bob.address).send()).rejects.toThrow('could not find account');
  });

  test('getTokenAccountsByOwner returns the token accounts of one mint or of one token program', async () => {
    const plain = await mintTo(chain, authority, mint.address, alice.address, 1n);
    const fee = await mintTo(chain, authority, feeMint.address, alice.address, 2n, TOKEN_2022);
    await mintTo(chain, authority, mint.address, bob.address, 3n);
    const accountsOf = async (filter: { mint: Address } | { programId: Address }) => {
      const { value } = await rpc
        .getTokenAccountsByOwner(alice.address, filter, { encoding: 'base64' })
        .send();
      return value.map(({ pubkey }) => pubkey);
    };
    expect(await accountsOf({ mint: mint.address })).toEqual([plain]);
    expect(await accountsOf({ programId: TOKEN })).toEqual([plain]);
    expect(await accountsOf({ programId: TOKEN_2022 })).toEqual([fee]);
  });

  test('jsonParsed shows an account and its delegate, and a mint', async () => {
    chain.setTokenAccount(alice.address, mint.address, {
      amount: 5_000_000n,
      delegate: bob.address,
      delegatedAmount: 250_000n,
      state: 'frozen',
    });
    const { value } = await rpc
      .getTokenAccountsByOwner(alice.address, { mint: mint.address }, { encoding: 'jsonParsed' })
      .send();
    expect(value[0]?.account.data).toMatchObject({
      program: 'spl-token',
      space: 165n,
      parsed: {
        type: 'account',
        info: {
          mint: mint.address,
          owner: alice.address,
          state: 'frozen',
          isNative: false,
          tokenAmount: { amount: '5000000', uiAmountString: '5' },
          delegate: bob.address,
          delegatedAmount: { amount: '250000', uiAmountString: '0.25' },
        },
      },
    });
    const shown = await rpc.getAccountInfo(mint.address, { encoding: 'jsonParsed' }).send();
    expect(shown.value?.data).toMatchObject({
      parsed: {
        type: 'mint',
        info: { decimals: 6, supply: '5000000', mintAuthority: authority.address, freezeAuthority: null },
      },
    });
  });

  // program#token-2022-extensions
  test('jsonParsed shows Token-2022 extensions', async () => {
    const token = await mintTo(chain, authority, feeMint.address, alice.address, 2n, TOKEN_2022);
    const [account, shownMint] = await Promise.all(
      [token, feeMint.address].map((account) =>
        rpc.getAccountInfo(account, { encoding: 'jsonParsed' }).send(),
      ),
    );
    expect(account?.value?.data).toMatchObject({
      program: 'spl-token-2022',
      parsed: {
        info: {
          extensions: [
            { extension: 'immutableOwner' },
            { extension: 'transferFeeAmount', state: { withheldAmount: 0n } },
          ],
        },
      },
    });
    expect(shownMint?.value?.data).toMatchObject({
      parsed: {
        info: {
          extensions: [
            {
              extension: 'transferFeeConfig',
              state: { newerTransferFee: { transferFeeBasisPoints: 100, maximumFee: 1_000_000n } },
            },
          ],
        },
      },
    });
  });

  test('an account that is not a token account, and one whose mint is gone, are returned in base64', async () => {
    const token = await mintTo(chain, authority, mint.address, alice.address, 2n);
    chain.setAccount(mint.address, { lamports: 0n });
    for (const account of [token, alice.address]) {
      const { value } = await rpc.getAccountInfo(account, { encoding: 'jsonParsed' }).send();
      expect((value?.data as unknown as string[] | undefined)?.[1]).toBe('base64');
    }
  });

  test('a wrapped SOL account holds the lamports of its balance', async () => {
    const wrapped = address('So11111111111111111111111111111111111111112');
    const token = chain.setTokenAccount(alice.address, wrapped, { amount: SOL });
    expect((await rpc.getBalance(token).send()).value).toBe(SOL + 2_039_280n);
    expect((await fetchToken(rpc, token)).data.amount).toBe(SOL);
  });
});

describe('the real token programs run', () => {
  // program#transfer-fees
  test('with a transfer fee the receiver gets the net amount, and getTransaction shows the balances of both accounts', async () => {
    const from = await mintTo(chain, authority, feeMint.address, alice.address, 20_000_000n, TOKEN_2022);
    const to = chain.setTokenAccount(bob.address, feeMint.address, {}, TOKEN_2022);
    const signature = await succeed(chain, alice, [
      getTransferCheckedInstruction({
        source: from,
        mint: feeMint.address,
        destination: to,
        authority: alice,
        amount: 10_000_000n,
        decimals: 6,
      }),
    ]);
    expect((await fetchToken(rpc, to)).data.amount).toBe(9_900_000n);
    const landed = await rpc
      .getTransaction(signature as never, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    const amountsOf = (
      balances: typeof landed extends null ? never : NonNullable<typeof landed>['meta'],
    ) => ({
      pre: balances?.preTokenBalances?.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]),
      post: balances?.postTokenBalances?.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]),
    });
    const amounts = amountsOf(landed?.meta ?? null);
    expect(new Set(amounts.pre)).toEqual(
      new Set([
        [alice.address, '20000000'],
        [bob.address, '0'],
      ]),
    );
    expect(new Set(amounts.post)).toEqual(
      new Set([
        [alice.address, '10000000'],
        [bob.address, '9900000'],
      ]),
    );
  });

  // program#associated-token-accounts
  test('an associated token account has the size that its mint demands and is created only once', async () => {
    for (const [mintAddress, tokenProgram, size] of [
      [mint.address, TOKEN, 165],
      [feeMint.address, TOKEN_2022, 165 + 1 + 4 + 4 + 8],
    ] as const) {
      const [ata] = await findAssociatedTokenPda({ owner: bob.address, mint: mintAddress, tokenProgram });
      const accounts = { payer: alice, ata, owner: bob.address, mint: mintAddress, tokenProgram };
      const create = getCreateAssociatedTokenInstruction(accounts);
      const createIdempotent = getCreateAssociatedTokenIdempotentInstruction(accounts);
      await succeed(chain, alice, [create]);
      expect(chain.getAccount(ata)?.data).toHaveLength(size);
      await succeed(chain, alice, [createIdempotent]);
      await expect(succeed(chain, alice, [create, createIdempotent])).rejects.toThrow('InstructionError');
    }
  });

  test('setting a balance changes the supply by the difference', async () => {
    chain.setTokenAccount(alice.address, feeMint.address, { amount: 7n }, TOKEN_2022);
    chain.setTokenAccount(alice.address, feeMint.address, { amount: 5n }, TOKEN_2022);
    chain.setTokenAccount(bob.address, feeMint.address, { amount: 1n }, TOKEN_2022);
    expect((await fetchMint(rpc, feeMint.address)).data.supply).toBe(6n);
    expect(() =>
      chain.setTokenAccount(alice.address, feeMint.address, { amount: 2n ** 64n - 1n }, TOKEN_2022),
    ).toThrow(RangeError);
  });
});
