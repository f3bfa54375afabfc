// Heavy: Chromium pays for subscriptions, as desktops and phones do.

import type { KeyPairSigner } from '@solana/kit';
import { PRICE } from '@subrail/test-world';
import { refuseRequests } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accountOf } from './account-of.js';
import { expectEveryLook } from './every-look.js';
import { holdCalls } from './hold-calls.js';
import { takePicture } from './screenshots.js';
import { heading, NAME, openScene, type PayerOptions, press } from './scenarios/scene.js';

const scene = openScene();
const { pages, shop } = scene;
const checkoutPath = (more?: object) => scene.checkoutPath(more);
const linkPath = (more?: object) => scene.linkPath(more);
const payingWallet = (options?: PayerOptions) => scene.payer(options);

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

async function open(...place: Parameters<typeof scene.open>): Promise<Page> {
  const { page } = await scene.open(...place);
  return page;
}

/** What a wallet has paid for. */
async function subscriptionOf({ address }: KeyPairSigner) {
  const { data } = await shop().subscriptions.list({ wallet: address });
  return data.find(({ confirmed_at: paid }) => paid !== null);
}

// checkout-sessions#plan-links, portal#portal-without-a-session
it.each(['desk', 'phone'])('pays for a subscription by a plan link, on a %s', async (place) => {
  const { wallet, key, approve } = await payingWallet({ asks: true });
  const path = await linkPath({ ask_email: true });
  const page = await open(path, [wallet], place === 'phone' ? PHONE : {});
  await heading(page, 'Choose your wallet');
  expect(await page.title()).toBe('Subscribe to Pro – Night Library');
  await takePicture(page, `checkout-wallets-${place}`);
  await press(page, NAME);
  await heading(page, 'Check and pay');
  await takePicture(page, `checkout-review-${place}`);
  await page.getByLabel('Email').fill('ada');
  await press(page, /^Subscribe and pay 5 tokens/);
  await expectWrongEmail(page);
  // A browser allows what the service does not.
  await page.getByLabel('Email').fill('ada@localhost');
  await press(page, /^Subscribe and pay 5 tokens/);
  await expectWrongEmail(page);
  await takePicture(page, `checkout-email-${place}`);
  await page.getByLabel('Email').fill('ada@example.com');
  await press(page, /^Subscribe and pay 5 tokens/);
  await heading(page, `Sign the terms in ${NAME}`);
  await takePicture(page, `checkout-terms-${place}`);
  approve();
  await heading(page, `Approve the payment in ${NAME}`);
  await takePicture(page, `checkout-payment-${place}`);
  approve();
  await heading(page, 'You are subscribed to Pro');
  expect(await page.title()).toBe('You are subscribed to Pro – Night Library');
  await takePicture(page, `checkout-complete-${place}`);
  expect(await subscriptionOf(key)).toMatchObject({ status: 'active', email: 'ada@example.com' });
  await page.getByRole('link', { name: 'Show my subscriptions' }).click();
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  expect(await page.title()).toBe('Your subscriptions – Night Library');
  // The secret of the link's session stays in its tab: anywhere else a wallet shows what it has.
  expect(page.url()).toBe(`${pages.url}/portal#${path.split('/').at(-1)}`);
  const other = await open(new URL(page.url()).pathname + new URL(page.url()).hash, []);
  await other.waitForURL(`${pages.url}/cancel`);
});

/** The email is wrong: its field says so and has the focus, and nothing else does. */
async function expectWrongEmail(page: Page): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Email' });
  await page.locator('input[aria-invalid="true"]:focus').waitFor();
  const hint = page.locator(`#${await field.getAttribute('aria-describedby')}`);
  expect(await hint.innerText()).toBe('Write the email like name@example.com, or leave it empty.');
  expect(await page.locator('[part~="notice"]').count()).toBe(0);
}

// portal#terms-as-facts
it('shows the terms before the wallet is asked, with deposits apart from fees', async () => {
  const { wallet } = await payingWallet();
  const page = await open(await checkoutPath(), [wallet]);
  await press(page, NAME);
  await heading(page, 'Check and pay');
  const card = page.locator('section');
  const text = await card.innerText();
  for (const part of ['5 tokens every 30 days', 'until you cancel', 'comes back when you close', 'SOL'])
    expect(text).toContain(part);
  expect(text).not.toContain('Nonce');
  await page.getByText('The terms that your wallet signs').click();
  expect(await card.locator('pre').innerText()).toMatch(/^Subrail: terms of .*\n[^]*\nNonce: [0-9a-f]{12}\n/);
});

// checkout-sessions#addresses-to-return-to
it('says that it goes back to the project, and goes there with the id of the checkout', async () => {
  const { wallet } = await payingWallet();
  const page = await open(await checkoutPath({ success_url: 'https://shop.example/thanks?a=b' }), [wallet]);
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Thanks!' }));
  await page.evaluate(() => {
    addEventListener('subrail-complete', (event) => {
      sessionStorage.setItem('told', JSON.stringify((event as CustomEvent<object>).detail));
    });
  });
  await press(page, NAME);
  await press(page, /^Subscribe and pay/);
  await page.getByText('Taking you back to Night Library…').waitFor();
  const link = page.getByRole('link', { name: 'Continue to Night Library' });
  expect(await link.getAttribute('href')).toMatch(
    /^https:\/\/shop.example\/thanks\?a=b&checkout=chk_\w{24}$/,
  );
  expect(await page.evaluate(() => sessionStorage.getItem('told'))).toContain('"success_url":"https://shop');
  await takePicture(page, 'checkout-going-back');
  await page.waitForURL('https://shop.example/thanks**');
});

describe('what goes wrong', () => {
  it('lets a person refuse each question, and ask it again', async () => {
    const { wallet, approve, key } = await payingWallet({ asks: true });
    const page = await open(await checkoutPath(), [wallet]);
    await heading(page, 'Choose your wallet');
    await refuseRequests(page, NAME);
    await press(page, NAME);
    await page.getByText(`${NAME} did not allow it.`).first().waitFor();
    await refuseRequests(page, NAME, false);
    await press(page, NAME);
    await heading(page, 'Check and pay');
    await refuseRequests(page, NAME);
    await press(page, /^Subscribe and pay/);
    await heading(page, 'Not signed yet');
    await refuseRequests(page, NAME, false);
    await press(page, 'Try again');
    await heading(page, `Sign the terms in ${NAME}`);
    await refuseRequests(page, NAME);
    approve();
    await heading(page, 'Not signed yet');
    await expectEveryLook(page, 'checkout-refused');
    await refuseRequests(page, NAME, false);
    await press(page, 'Try again');
    await heading(page, `Approve the payment in ${NAME}`);
    approve();
    await heading(page, 'You are subscribed to Pro');
    expect((await subscriptionOf(key))?.status).toBe('active');
  });

  // checkout-sessions#repeated-session-calls
  it('goes on after a reload, while the wallet is asked and while the payment is on its way', async () => {
    const { wallet, approve, key, questions } = await payingWallet({ asks: true });
    const page = await open(await linkPath(), [wallet]);
    await press(page, NAME);
    await press(page, /^Subscribe and pay/);
    await heading(page, `Sign the terms in ${NAME}`);
    approve();
    await heading(page, `Approve the payment in ${NAME}`);
    await page.reload();
    // The wallet stays connected, and the terms are signed: it is asked for the payment alone.
    await press(page, /^Subscribe and pay/);
    await heading(page, `Approve the payment in ${NAME}`);
    await page.route('**/submit', () => undefined);
    approve();
    await heading(page, 'Your payment is on its way');
    await expectEveryLook(page, 'checkout-submitting');
    await page.unroute('**/submit');
    await page.reload();
    await heading(page, 'You are subscribed to Pro');
    expect(questions).toHaveLength(3);
    expect((await subscriptionOf(key))?.status).toBe('active');
    await page.reload();
    await heading(page, 'You are subscribed to Pro');
  });

  it('says what is missing, and goes on once it is there', async () => {
    const { wallet, key } = await payingWallet({ tokens: 0n });
    const page = await open(await checkoutPath(), [wallet]);
    await press(page, NAME);
    await heading(page, 'One thing is missing');
    await page.getByText('Add 5 tokens: the wallet has to hold 5 tokens.').first().waitFor();
    expect(await page.locator('code').innerText()).toBe(key.address);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Copy the address');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.address);
    await expectEveryLook(page, 'checkout-blocked');
    await pages.world.give(key, 2n * PRICE);
    await press(page, 'Check again');
    await heading(page, 'Check and pay');
  });

  it('leads whoever is subscribed already to what he has', async () => {
    const { wallet, key } = await payingWallet();
    await pages.world.subscribe(key, 'customer-42');
    const page = await open(await checkoutPath({ external_id: 'customer-42' }), [wallet]);
    // No wallet is asked for it.
    await heading(page, 'Nothing to pay here');
    // With another wallet he would pay a second time.
    expect(await page.getByRole('button', { name: 'Use another wallet' }).count()).toBe(0);
    await expectEveryLook(page, 'checkout-subscribed');
    await page.getByRole('link', { name: 'Show my subscriptions' }).click();
    await page.getByRole('article', { name: 'Pro' }).waitFor();
  });

  it('says what to do without a wallet, on a desk and on a phone', async () => {
    const page = await open(await checkoutPath(), []);
    await heading(page, 'No wallet was found');
    expect(await page.getByRole('link', { name: 'Get Phantom' }).getAttribute('href')).toContain(
      'phantom.com',
    );
    await page.getByText('Use your phone', { exact: true }).click();
    await page.getByRole('img', { name: 'A QR code' }).waitFor();
    await expectEveryLook(page, 'checkout-no-wallet');
    const address = page.url();
    await pages.closeOpened();
    const phone = await open(await checkoutPath(), [], PHONE);
    const link = phone.getByRole('link', { name: 'Open in Phantom' });
    const href = (await link.getAttribute('href')) ?? '';
    expect(decodeURIComponent(new URL(href).pathname)).toContain(`${new URL(address).origin}/checkout#chs_`);
    await takePicture(phone, 'checkout-no-wallet-phone');
  });

  // checkout-sessions#secret-of-a-session
  it('says that the page has no key', async () => {
    const page = await open('/checkout', []);
    await heading(page, 'Not available');
    await page.getByText('This page was opened without its key.').first().waitFor();
    expect(await page.title()).toBe('Not available – Night <b>Billing</b>');
    await expectEveryLook(page, 'checkout-no-key');
  });

  it('says what to do without JavaScript', async () => {
    const page = await open('/checkout', [], { javaScriptEnabled: false });
    expect(await page.locator('main').innerText()).toContain('Switch it on and reload the page.');
    await takePicture(page, 'checkout-no-javascript');
  });
});

it('lets a customer choose among several plans', async () => {
  const { world } = pages;
  await world.publishPlan(world.projectId, 'team', {
    name: 'Team',
    description: 'Everything in Pro, for ten people.',
    amount: (2n * PRICE).toString(),
  });
  const { wallet, key } = await payingWallet();
  const page = await open(await checkoutPath({ plan: undefined, plans: ['pro', 'team'] }), [wallet]);
  await page.getByRole('radio', { name: 'Team' }).check();
  await page.getByText('Everything in Pro, for ten people.').waitFor();
  await expectEveryLook(page, 'checkout-plans');
  await press(page, NAME);
  await press(page, /^Subscribe and pay 10 tokens/);
  await heading(page, 'You are subscribed to Team');
  expect((await subscriptionOf(key))?.plan).toBe('team');
});

it('shows names as they are, whatever is in them', async () => {
  const { world } = pages;
  const name = '<img src=x onerror=alert(1)>';
  const project = await world.billing.projects.create({ name: '"><script>alert(2)</script>' });
  await world.publishPlan(project.id, 'hostile', { name, description: '<b>bold</b> ${1}' });
  const { url } = await world.billing.project(project.id).checkouts.create({ plan: 'hostile' });
  const key = await world.wallet(10n * PRICE);
  const wallet = { name: '<b>Evil</b> Wallet', accounts: [accountOf(key)] };
  const page = await open(`/checkout${new URL(url).hash}`, [wallet]);
  await heading(page, `Subscribe to ${name}`);
  await page.getByText('<b>bold</b> ${1}').waitFor();
  await press(page, wallet.name);
  await heading(page, 'Check and pay');
  await page.getByText('The terms that your wallet signs').click();
  await page.getByText(`${name}, "><script>alert(2)</script>`).first().waitFor();
  expect(await page.locator('main img:not([alt=""]), main script, main b').count()).toBe(0);
});

it('speaks the language of the session, or that of the browser', async () => {
  const { wallet, key } = await payingWallet();
  const page = await open(await checkoutPath({ locale: 'de' }), [wallet]);
  await heading(page, 'Wählen Sie Ihre Wallet');
  await press(page, NAME);
  await heading(page, 'Prüfen und zahlen');
  await takePicture(page, 'checkout-review-de');
  const { localnet } = pages.world;
  localnet.setAccount(key.address, { lamports: 1_000_000n });
  await page.reload();
  await heading(page, 'Eines fehlt noch');
  // The missing amount is said in the language of the page alone.
  await page
    .getByText(/^Es fehlen 0,\d+ SOL: In der Wallet müssen 0,\d+ SOL sein\.$/)
    .first()
    .waitFor();
  expect(await page.locator('[part~="notice"] [lang=en]').count()).toBe(0);
  await takePicture(page, 'checkout-blocked-de');
  localnet.airdrop(key.address, 100_000_000n);
  await press(page, 'Erneut prüfen');
  await press(page, 'Abonnieren und 5 Token zahlen');
  await heading(page, 'Sie haben Pro abonniert');
  await pages.closeOpened();
  const other = await open('/checkout#chs_none', [], { locale: 'de-AT' });
  await other.getByText('Diese Seite wurde ohne ihren Schlüssel geöffnet.').first().waitFor();
});

it('has no fault of accessibility on the way', async () => {
  const { wallet, approve } = await payingWallet({ asks: true });
  const page = await open(await linkPath({ ask_email: true }), [wallet]);
  const unfolded = async (name: string) => {
    for (const details of await page.locator('summary').all()) await details.click();
    await expectEveryLook(page, name);
  };
  await heading(page, 'Choose your wallet');
  await unfolded('checkout-wallets');
  await page.evaluate(registerSlowWallet);
  await press(page, 'Slow Wallet');
  await heading(page, 'Connecting to Slow Wallet');
  await unfolded('checkout-connecting');
  await press(page, 'Back');
  const release = await holdCalls(page, '**/customer/v1/subscriptions');
  await press(page, NAME);
  await page.getByText('Preparing your subscription…').first().waitFor();
  await unfolded('checkout-loading');
  release();
  await heading(page, 'Check and pay');
  await unfolded('checkout-review');
  await press(page, /^Subscribe and pay/);
  await heading(page, `Sign the terms in ${NAME}`);
  await unfolded('checkout-terms');
  approve();
  await heading(page, `Approve the payment in ${NAME}`);
  await unfolded('checkout-payment');
  approve();
  await heading(page, 'You are subscribed to Pro');
  await unfolded('checkout-complete');
});

/** Registers a wallet whose person never answers. */
function registerSlowWallet() {
  const never = () => new Promise(() => undefined);
  const wallet = {
    version: '1.0.0',
    name: 'Slow Wallet',
    icon: 'data:image/svg+xml,',
    chains: ['solana:devnet'],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: never },
      'solana:signMessage': { version: '1.1.0', signMessage: never },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: never,
      },
    },
  };
  const detail = ({ register }: { readonly register: (one: object) => void }) => register(wallet);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }));
}
