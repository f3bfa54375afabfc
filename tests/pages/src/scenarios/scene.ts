import type { KeyPairSigner } from '@solana/kit';
import { ENGLISH_ELEMENTS, type ElementLanguage } from '@subrail/browser/elements';
import { PRICE } from '@subrail/test-world';
import type { BrowserWallet, WalletAccount } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accountOf } from '../account-of.js';
import type { PageWorldOptions } from '../page-world.js';
import { sharedPages } from '../shared-pages.js';

/** The words of the pages, in place of copies of them. */
export const words: ElementLanguage['words'] = ENGLISH_ELEMENTS.words;

/** The words on the button of each next step. */
export const steps: ElementLanguage['steps'] = ENGLISH_ELEMENTS.steps;

/** The name of every wallet of a scene. */
export const NAME = 'Alpha Wallet';

/** How a wallet answers. */
export interface PayerOptions {
  readonly tokens?: bigint;
  /** Its questions wait until they are approved. */
  readonly asks?: boolean;
  /** Called at each question, before it is answered. */
  readonly asked?: (what: 'terms' | 'payment') => Promise<void>;
  /** Signs in place of its key. */
  readonly signs?: (key: KeyPairSigner) => Partial<WalletAccount>;
  /** What else is special about the wallet. */
  readonly more?: (key: KeyPairSigner) => Partial<BrowserWallet>;
}

/** A person with a wallet in the browser. */
export interface Payer {
  readonly key: KeyPairSigner;
  readonly wallet: BrowserWallet;
  /** Answers the open question. */
  readonly approve: () => void;
  /** What the wallet was asked so far. */
  readonly questions: readonly ('terms' | 'payment')[];
}

/** A world of pages that the tests of a file share, with what people do in it. */
export function openScene(options: PageWorldOptions = {}) {
  const pages = sharedPages(options);
  const shop = () => pages.world.billing.project(pages.world.projectId);
  const open = (path: string, wallets: readonly BrowserWallet[], more?: BrowserContextOptions) =>
    pages.open(wallets, more, path);
  return {
    shop,
    open,
    pages,
    get world() {
      return pages.world;
    },
    /** Opens a page in a browser of its own. */
    async page(path: string, ...payers: readonly Payer[]): Promise<Page> {
      const { page } = await open(
        path,
        payers.map(({ wallet }) => wallet),
      );
      return page;
    },
    async checkoutPath(more: object = {}): Promise<string> {
      const { url } = await shop().checkouts.create({ plan: 'pro', ...more });
      return `/checkout${new URL(url).hash}`;
    },
    async linkPath(more: object = {}): Promise<string> {
      const { id } = await shop().links.create({ plan: 'pro', ...more });
      return `/checkout/${id}`;
    },
    async portalPath(more: object): Promise<string> {
      const { url } = await shop().portal.create(more);
      return `/portal${new URL(url).hash}`;
    },
    async payer({
      tokens = 10n * PRICE,
      asks = false,
      asked,
      signs,
      more,
    }: PayerOptions = {}): Promise<Payer> {
      const key = await pages.world.wallet(tokens);
      const account = { ...accountOf(key), ...signs?.(key) };
      const questions: ('terms' | 'payment')[] = [];
      const waiting: (() => void)[] = [];
      const ask = async (what: 'terms' | 'payment') => {
        questions.push(what);
        await asked?.(what);
        if (asks) await new Promise<void>((resolve) => waiting.push(resolve));
      };
      const asking: WalletAccount = {
        ...account,
        signMessage: async (text) => {
          await ask('terms');
          return account.signMessage(text);
        },
        signTransaction: async (transaction) => {
          await ask('payment');
          return account.signTransaction(transaction);
        },
      };
      return {
        key,
        questions,
        approve: () => waiting.pop()?.(),
        wallet: { name: NAME, accounts: [asking], ...more?.(key) },
      };
    },
    /** The subscriptions of a wallet that were paid, newest first. */
    async paidOf({ address }: KeyPairSigner) {
      const { data } = await shop().subscriptions.list({ wallet: address });
      return data.filter(({ confirmed_at: paid }) => paid !== null);
    },
    /** Expects one payment on chain and on record, of a wallet that had ten times the price. */
    async expectPaidOnce({ key }: Payer, had = 10n * PRICE, price = PRICE): Promise<void> {
      const { data } = await shop().subscriptions.list({ wallet: key.address });
      const paid = data.filter(({ confirmed_at: at }) => at !== null);
      expect(paid.map(({ status }) => status)).toEqual(['active']);
      const attempts = await shop().subscriptions.attempts(paid[0]?.id ?? '');
      expect(attempts.paid.count).toBe(1);
      expect(await pages.world.holding(key)).toBe(had - price);
    },
  };
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Says yes to the question that a portal asks before it cancels. */
export const agree = (page: Page) => press(page, words.cancel);

/** Cancels a subscription in a portal, up to the wallet. */
export async function cancel(page: Page, name = words.actionOf(words.actions.cancel, 'Pro')): Promise<void> {
  await press(page, name);
  await agree(page);
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
export const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

/** The text that the element of a page shows. */
export const textOf = (page: Page) => page.locator('.shell').first().innerText();

/** Connects the wallet, and waits for the review. */
export async function review(page: Page): Promise<void> {
  await press(page, NAME);
  await heading(page, words.review);
}

/** Pays what the review shows; a wallet that asks is asked for the terms now. */
export const pay = (page: Page) => press(page, /^(Subscribe|Change) and pay/);

export const isPaid = (page: Page) => heading(page, /^You are subscribed/);

/**
 * Does what a person does: takes whatever button leads on, with the connection back, until there is nothing
 * more to do. Returns how it ended, and what the page said went wrong on the way.
 */
export async function goOn(page: Page): Promise<{ readonly end: string; readonly said: readonly string[] }> {
  const said: string[] = [];
  const end = page.getByRole('heading', { name: /^(You are subscribed|Nothing to pay here)/ });
  const again = page.getByRole('button', { name: new RegExp(`^(${steps.again}|${steps.check_again})$`) });
  const next = page.getByRole('button', { name: new RegExp(`^(${NAME}|Subscribe and pay .*)$`) });
  for (;;) {
    await end.or(again).or(next).first().waitFor();
    if (await end.isVisible()) return { end: await end.innerText(), said };
    const isFailed = await again.isVisible();
    if (isFailed) {
      said.push(...(await page.locator('[part~="notice"]').allInnerTexts()));
      await page.context().setOffline(false);
    }
    // A page that goes on by itself, or that is reloaded, takes the button away.
    await (isFailed ? again : next).click({ timeout: 1_000 }).catch(() => undefined);
  }
}
