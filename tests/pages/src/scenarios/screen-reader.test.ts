// Heavy: Chromium reads the pages aloud, from the first state to the last.

import { PRICE } from '@subrail/test-world';
import { refuseRequests } from '@subrail/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addOwnWallets } from './own-wallets.js';
import { agree, cancel, heading, NAME, openScene, pay, press, shows, steps, words } from './scene.js';

const scene = openScene();

const SILENT = 'Silent Wallet';

/** Keeps what the live regions of the elements say, in a list of the page. */
const LISTENING = `
  const said = (globalThis.said = []);
  const heard = new WeakSet();
  const hear = (region) => {
    const text = region?.textContent.trim() ?? '';
    if (text !== '') said.push(text);
  };
  addEventListener('subrail-state', async (event) => {
    const [element] = event.composedPath();
    if (heard.has(element)) return;
    heard.add(element);
    await element.updateComplete;
    const { shadowRoot: root } = element;
    root.querySelectorAll('[role="status"]').forEach(hear);
    new MutationObserver((changes) =>
      changes.forEach(({ target }) => hear((target.parentElement ?? target).closest?.('[role="status"]'))),
    ).observe(root, { childList: true, characterData: true, subtree: true });
  });
`;

/** The parts that differ each time, or are not read, and the words in their place. */
const DIFFERENT: readonly (readonly [RegExp, string])[] = [
  [/:\n +- \/url: .*$/gm, ''],
  [/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, '(address)'],
  [/\b[1-9A-HJ-NP-Za-km-z]{4}…[1-9A-HJ-NP-Za-km-z]{4}/g, '(wallet)'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)?/g, '(moment)'],
  [/\b\d{1,2} \w+ \d{4}(,? (at )?\d\d:\d\d)?/g, '(day)'],
  [/\b[0-9a-f]{12}\b/g, '(nonce)'],
];

/** Writes down what a screen reader has before it in each state, and what it says of itself. */
function readerOf(page: Page) {
  const script: string[] = [];
  return {
    async read(state: string): Promise<void> {
      const tree = await page.locator('body').ariaSnapshot();
      expect(tree, state).toMatch(/^ *- heading "/m);
      expect(tree, state).not.toMatch(/^ *- (button|link|radio|textbox|combobox|img)( \[.*\])?:?$/m);
      const said = await page.evaluate(() => (globalThis as { said?: string[] }).said?.splice(0) ?? []);
      script.push(`== ${state} ==`, '', ...said.map((sentence) => `It says: ${sentence}`), '', tree, '');
    },
    /** The script so far, in which no sentence is said twice in a row. */
    script(): string {
      const all = script.join('\n').replace(/\n{3,}/g, '\n\n');
      const said = [...all.matchAll(/^It says: (.*)$/gm)].map(([, sentence]) => sentence);
      expect(said.filter((sentence, index) => sentence === said[index - 1])).toEqual([]);
      return DIFFERENT.reduce((text, [pattern, name]) => text.replace(pattern, name), all);
    },
  };
}

const expectScript = (script: string, name: string) =>
  expect(script).toMatchFileSnapshot(`./screen-reader/${name}.txt`);

/** Opens a page that listens, with a wallet that never answers besides those of the scene. */
async function open(...place: Parameters<typeof scene.open>): Promise<Page> {
  const { page } = await scene.open('/pages/style.css', place[1]);
  await addOwnWallets(page.context(), [{ name: `'${SILENT}'` }]);
  await page.addInitScript(LISTENING);
  await page.goto(scene.pages.url + place[0]);
  return page;
}

it('reads the checkout in its order', async () => {
  const payer = await scene.payer({ tokens: 0n, asks: true });
  const path = await scene.checkoutPath({ cancel_url: 'https://shop.example/prices' });
  const page = await open(path, [payer.wallet]);
  const reader = readerOf(page);
  await heading(page, words.chooseWallet);
  await page.getByRole('button', { name: NAME }).waitFor();
  await reader.read('Choosing a wallet');
  await press(page, SILENT);
  await heading(page, words.connectTo(SILENT));
  await reader.read('Connecting');
  await press(page, words.back);
  await press(page, NAME);
  await heading(page, words.failed.check_again);
  await reader.read('Money is missing');
  await scene.world.give(payer.key, PRICE);
  await press(page, steps.check_again);
  await heading(page, words.review);
  await reader.read('Review');
  await pay(page);
  await heading(page, words.signTerms(NAME));
  await reader.read('Terms');
  await refuseRequests(page, NAME);
  payer.approve();
  await heading(page, words.notSigned);
  await reader.read('Refused');
  await refuseRequests(page, NAME, false);
  await press(page, steps.again);
  await heading(page, words.signPayment(NAME));
  await reader.read('Payment');
  let send: () => void = () => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/submit', async (route) => {
    await sent;
    await route.continue();
  });
  payer.approve();
  await heading(page, words.submitting);
  await reader.read('Submitting');
  send();
  await heading(page, words.complete('Pro'));
  await shows(page, words.receipt);
  await reader.read('Complete');
  await page.goto('about:blank');
  await page.goto(`${scene.pages.url}/checkout`);
  await heading(page, words.failed.go_back);
  await reader.read('Failed');
  await expectScript(reader.script(), 'checkout');
});

it('reads the portal in its order', async () => {
  const payer = await scene.payer({ asks: true });
  await scene.world.subscribe(payer.key, 'reader');
  const path = await scene.portalPath({ external_id: 'reader', return_url: 'https://shop.example/account' });
  const page = await open(path, [payer.wallet]);
  const reader = readerOf(page);
  const title = words.actionOf(words.actions.cancel, 'Pro');
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await reader.read('The list');
  await press(page, title);
  await heading(page, words.cancelling('Pro'));
  await reader.read('Asking');
  await agree(page);
  await heading(page, title);
  await page.getByRole('button', { name: NAME }).waitFor();
  await reader.read('Choosing the wallet');
  await press(page, NAME);
  await shows(page, words.acting.signing);
  await reader.read('Acting');
  await press(page, words.back);
  await refuseRequests(page, NAME);
  await cancel(page);
  await page.getByRole('button', { name: steps.again }).waitFor();
  await reader.read('A problem');
  await refuseRequests(page, NAME, false);
  await press(page, steps.again);
  await shows(page, words.acting.signing);
  payer.approve();
  await page.getByRole('button', { name: words.actionOf(words.actions.resume, 'Pro') }).waitFor();
  await reader.read('Done');
  await page.goto('about:blank');
  await page.goto(`${scene.pages.url}${path}x`);
  await heading(page, words.failed.go_back);
  await reader.read('Failed');
  await expectScript(reader.script(), 'portal');
});

it('reads the cancel page in its order', async () => {
  const payer = await scene.payer({ asks: true });
  await scene.world.subscribe(payer.key, 'reader of the cancel page');
  const page = await open('/cancel', [payer.wallet]);
  const reader = readerOf(page);
  const { cancel, resume } = words.actions;
  await page.getByRole('button', { name: NAME }).waitFor();
  await reader.read('Choosing a wallet');
  await press(page, SILENT);
  await heading(page, words.connectTo(SILENT));
  await reader.read('Connecting');
  await press(page, words.back);
  await press(page, NAME);
  const button = page.getByRole('button', { name: new RegExp(`^${cancel}`) });
  await button.waitFor();
  await reader.read('The list');
  await button.click();
  await agree(page);
  await shows(page, words.acting.signing);
  await reader.read('Acting');
  payer.approve();
  await page.getByRole('button', { name: new RegExp(`^${resume}`) }).waitFor();
  await reader.read('Done');
  await refuseRequests(page, NAME);
  await page.getByRole('button', { name: new RegExp(`^${resume}`) }).click();
  await page.getByRole('button', { name: steps.again }).waitFor();
  await reader.read('A problem');
  await expectScript(reader.script(), 'cancel-page');
});
