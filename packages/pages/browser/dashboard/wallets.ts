// What the owner of a plan signs with. A file of its own: other pages of the dashboard do not load it.

export { watchSigningWallets } from '@subrail/browser/wallets';
