// Heavy: Chromium pays with wallets of many habits.

import { AccountRole, address, type Address, type Instruction, type KeyPairSigner } from '@solana/kit';
import { sendTransaction } from '@subrail/localnet';
import {
  envelopeOf,
  guard,
  PRICE,
  signAs,
  TEXT_WALLETS,
  WALLET_PROGRAMS,
  WALLETS,
  type Wallet,
} from '@subrail/test-world';
import { registerWallet, unlockWallet } from '@subrail/testing';
import { expect, it } from 'vitest';
import { cancel, heading, isPaid, NAME, openScene, pay, press, review, shows } from './scene.js';

const scene = openScene({ programs: WALLET_PROGRAMS });

const latestBlockhash = async () => (await scene.world.rpc.getLatestBlockhash().send()).value.blockhash;

/** Moves a lamport by the system program. */
const transfer = (from: Address, to: Address): Instruction => ({
  programAddress: address('11111111111111111111111111111111'),
  accounts: [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ],
  data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
});

/** Signs transactions with a habit. */
const withHabit = (habit: Pick<Wallet, 'changes' | 'readsBlockhash'>) => (key: KeyPairSigner) => ({
  signTransaction: (built: string) => signAs(habit, key, built, latestBlockhash),
});

// checkout#guests
it('pays with wallets that put guards and fees into what they sign', async () => {
  const habits = WALLETS.filter(({ name }) => /guards|raises|all of it/.test(name));
  expect(habits).toHaveLength(4);
  await Promise.all(
    habits.map(async (habit) => {
      const payer = await scene.payer({ signs: withHabit(habit) });
      const page = await scene.page(await scene.checkoutPath(), payer);
      await review(page);
      await pay(page);
      await isPaid(page);
      await scene.expectPaidOnce(payer);
    }),
  );
});

// checkout#guests, checkout#simulation-before-sending
it.each<[string, (payer: KeyPairSigner) => Instruction, string | RegExp, string]>([
  [
    'moves its money elsewhere',
    ({ address: payer }) => transfer(payer, scene.world.owner.address),
    'The wallet changed the transaction',
    'Try again',
  ],
  [
    'puts in a guard that does not hold',
    ({ address: payer }) => guard(payer, 1n << 60n),
    'Solana would refuse this payment.',
    'Check again',
  ],
])(
  'says so of a wallet that %s, charges nothing, and takes an honest one',
  async (_, added, sentence, next) => {
    let isHonest = false;
    const payer = await scene.payer({
      signs: (key) => withHabit({ changes: (built) => (isHonest ? built : [...built, added(key)]) })(key),
    });
    const page = await scene.page(await scene.checkoutPath(), payer);
    await review(page);
    await pay(page);
    await shows(page, sentence);
    await shows(page, 'Nothing was charged.');
    expect(await scene.world.holding(payer.key)).toBe(10n * PRICE);
    isHonest = true;
    await press(page, next);
    const goesOn = page.getByRole('heading', { name: /^(Check and pay|You are subscribed.*)$/ });
    await goesOn.waitFor();
    if (next === 'Check again') await pay(page);
    await isPaid(page);
    expect(payer.questions.filter((what) => what === 'terms')).toHaveLength(1);
    await scene.expectPaidOnce(payer);
  },
);

// terms#what-the-wallet-signs
it('pays with wallets that sign the terms in an envelope, said or not', async () => {
  const silent = TEXT_WALLETS.find(({ name }) => name === 'signs an envelope of version 1');
  const says = (key: KeyPairSigner) => ({
    signMessage: async (text: string) => {
      const signer = TEXT_WALLETS.find(({ name }) => name === 'signs an envelope with a domain, and says so');
      const signed = await signer?.signs(key, text);
      return {
        signature: signed?.terms_signature ?? '',
        signedMessage: Uint8Array.from(envelopeOf([key.address], text, 1, 7)),
      };
    },
  });
  const saysNot = (key: KeyPairSigner) => ({
    signMessage: async (text: string) => (await silent?.signs(key, text))?.terms_signature ?? '',
  });
  await Promise.all(
    [says, saysNot].map(async (signs) => {
      const payer = await scene.payer({ signs });
      const page = await scene.page(await scene.checkoutPath(), payer);
      await review(page);
      await pay(page);
      await isPaid(page);
      await scene.expectPaidOnce(payer);
    }),
  );
});

it('names what a wallet that sends by itself cannot do, and lets it cancel', async () => {
  const sends = () => ({
    send: (wire: Parameters<typeof sendTransaction>[1]) => sendTransaction(scene.world.rpc, wire),
  });
  const payer = await scene.payer({ more: sends });
  const page = await scene.page(await scene.checkoutPath(), payer);
  await shows(page, 'It sends what it signs, so the service cannot add its signature.');
  const button = page.getByRole('button', { name: NAME });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  const why = (await button.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`#${why}`).innerText()).toContain('It sends what it signs');
  await button.click({ force: true });
  await heading(page, 'Choose your wallet');
  expect(payer.questions).toEqual([]);

  await scene.world.subscribe(payer.key, 'sender');
  await page.goto(scene.pages.url + (await scene.portalPath({ external_id: 'sender' })));
  await cancel(page);
  await press(page, NAME);
  await shows(page, 'Cancelled. Solana confirmed it');
  expect((await scene.paidOf(payer.key)).map(({ status }) => status)).toEqual(['cancelled']);
});

it('takes a wallet that registers late and is locked at first', async () => {
  const payer = await scene.payer({ more: () => ({ startsLocked: true, registersLate: true }) });
  const page = await scene.page(await scene.checkoutPath(), payer);
  await heading(page, 'No wallet was found');
  await registerWallet(page, NAME);
  await press(page, NAME);
  await shows(page, `${NAME} did not connect. Unlock it, and try again.`);
  await unlockWallet(page, NAME);
  await review(page);
  // A page that is loaded again finds the wallet once it is there and unlocked.
  await page.reload();
  await heading(page, 'No wallet was found');
  await unlockWallet(page, NAME);
  await registerWallet(page, NAME);
  await heading(page, 'Check and pay');
  await pay(page);
  await isPaid(page);
  await scene.expectPaidOnce(payer);
});
