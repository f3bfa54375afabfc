import { beforeEach, expect, it, vi } from 'vitest';
import { FakeWallet } from './fake-wallets.js';

let browser: EventTarget;

beforeEach(() => {
  browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('dispatchEvent', browser.dispatchEvent.bind(browser));
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

type Register = (api: { register(...wallets: readonly unknown[]): () => void }) => void;
const announce = (callback: Register) =>
  browser.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));

it('finds wallets that register before the page looks for them, after, and twice, until they go', async () => {
  const { browserWallets } = await import('../browser-wallets.js');
  const [early, late] = ['Early', 'Late'].map((name) => new FakeWallet({ name }).wallet);
  const register: Register = (api) => void api.register(early);
  browser.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<Parameters<Register>[0]>).detail),
  );
  const wallets = browserWallets();
  const names = () => wallets.get().map(({ name }) => name);
  expect(names()).toEqual(['Early']);
  let changes = 0;
  const off = wallets.on('register', () => (changes += 1));
  let unregister: () => void = () => undefined;
  announce((api) => (unregister = api.register(late, early)));
  expect([names(), changes]).toEqual([['Early', 'Late'], 1]);
  off();
  unregister();
  // The early one registered itself, and stays.
  expect([names(), changes]).toEqual([['Early'], 1]);
  expect(browserWallets()).toBe(wallets);
});
