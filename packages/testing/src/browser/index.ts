/** Wallets for the tests of an app in a browser. They sign with the keys of a test, such as the wallets of `createTestBilling`. */
export {
  installWallets,
  refuseRequests,
  switchAccounts,
  type BrowserWallet,
  type WalletAccount,
  type WalletContext,
  type WalletPage,
} from './install-wallets.js';
