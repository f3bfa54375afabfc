import { expect, it } from 'vitest';
import { toBase58, toBase64 } from '../encodings.js';
import { type SigningWallet, WalletRefusal, watchSigningWallets } from '../signing-wallets.js';
import { FakeWallet, walletsOf } from './fake-wallets.js';

const TRANSACTION = toBase64(Uint8Array.of(9, 9, 9));

/** The wallets that a page of a local chain lists. */
function listed(...wallets: readonly FakeWallet[]): readonly SigningWallet[] {
  let found: readonly SigningWallet[] = [];
  watchSigningWallets({ chain: 'solana:localnet', wallets: walletsOf(...wallets).source }, (now) => {
    found = now;
  })();
  return found;
}

const problemOf = (step: Promise<unknown>) =>
  step.then(
    () => null,
    (error: unknown) => (error instanceof WalletRefusal ? [error.problem.code, error.message] : error),
  );

it('a wallet signs with an account that it gave, and the page gets the transaction with its name', async () => {
  const [wallet] = listed(new FakeWallet({ addresses: ['owner', 'other'] }));
  expect(wallet).toMatchObject({ name: 'Test Wallet', problem: null, sends: false });
  expect(await wallet?.connect()).toEqual(['owner', 'other']);
  const signature = new Uint8Array(64).fill(1);
  expect(await wallet?.sign('owner', TRANSACTION)).toEqual({
    transaction: toBase64(Uint8Array.of(1, ...signature, 9, 9, 9)),
    signature: toBase58(signature),
  });
});

it('a wallet that sends by itself gives the name of the transaction alone', async () => {
  const [wallet] = listed(
    new FakeWallet({ features: ['standard:connect', 'solana:signAndSendTransaction'] }),
  );
  await wallet?.connect();
  expect(wallet?.sends).toBe(true);
  expect(await wallet?.sign('payer-1', TRANSACTION)).toEqual({
    transaction: null,
    signature: toBase58(new Uint8Array(64).fill(7)),
  });
});

it('a wallet that cannot sign transactions is listed with the reason', () => {
  const [wallet] = listed(new FakeWallet({ features: ['standard:connect', 'solana:signMessage'] }));
  expect(wallet?.problem).toMatchObject({
    code: 'wallet_signs_no_transactions',
    sentence: 'It cannot sign transactions of Solana.',
  });
});

/** The sentences of what a wallet refuses, none of which speaks of a payment. */
const REFUSALS: readonly [
  what: string,
  wallet: () => FakeWallet,
  refused: (wallet: SigningWallet) => Promise<unknown>,
  problem: readonly [code: string, sentence: string],
][] = [
  [
    'to connect',
    () => scripted('connect', { code: 4001, message: 'User rejected the request.' }),
    (wallet) => wallet.connect(),
    ['wallet_refused', 'Test Wallet did not allow it.'],
  ],
  [
    'to sign',
    () => scripted('transaction', { code: 4001, message: 'User rejected the request.' }),
    connectAndSign,
    ['wallet_refused', 'Test Wallet did not allow it.'],
  ],
  [
    'to sign by a fault',
    () => scripted('transaction', new Error('Internal error.')),
    connectAndSign,
    ['wallet_failed', 'Test Wallet could not do it.'],
  ],
  [
    'to give an account',
    () => new FakeWallet({ addresses: [] }),
    (wallet) => wallet.connect(),
    ['wallet_locked', 'Test Wallet gave no account. Unlock it, and connect it again.'],
  ],
  [
    'to give one on the chain',
    () => new FakeWallet({ accountChains: ['solana:mainnet'] }),
    (wallet) => wallet.connect(),
    [
      'wallet_no_account',
      'Test Wallet has no account on Solana devnet. Switch its network, and connect it again.',
    ],
  ],
  [
    'to sign with an account that it did not give',
    () => new FakeWallet(),
    (wallet) => wallet.sign('payer-1', TRANSACTION),
    ['wallet_locked', 'Test Wallet gave no account. Unlock it, and connect it again.'],
  ],
];

it.each(REFUSALS)('a wallet that refuses %s is a sentence', async (_, made, refused, problem) => {
  const [wallet] = listed(made());
  expect(wallet && (await problemOf(refused(wallet)))).toEqual(problem);
});

function scripted(question: string, answer: Error | { readonly code: number; readonly message: string }) {
  const wallet = new FakeWallet();
  wallet.script.set(question, [answer]);
  return wallet;
}

async function connectAndSign(wallet: SigningWallet): Promise<unknown> {
  await wallet.connect();
  return wallet.sign('payer-1', TRANSACTION);
}
