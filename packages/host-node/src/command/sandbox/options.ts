import { text } from '../option.js';

/** The option of every command that plays with the local chain. */
export const RPC_OPTION = {
  rpc: text('url', 'the local chain, when the host is reached with --url; else the one of the host here'),
};

/** The option of every command about a token. */
export const MINT_OPTION = { mint: text('address', 'the token; the demo token without it') };

/** The option of every command that signs as a wallet. */
export const WALLET_OPTION = {
  wallet: text('file', 'the key file of the wallet; the demo wallet of the host without it'),
};
