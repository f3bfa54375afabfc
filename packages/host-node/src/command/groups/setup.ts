import { resolve } from 'node:path';
import { CommandFailed } from '../errors.js';
import { addCommand, type Group } from '../command-tree.js';
import { flag, oneOf, text } from '../option.js';
import type { Initialized, Setup } from '../initialize.js';

const JSON_OPTION = { json: flag('print JSON, and nothing else') };

/** `subrail init` and `subrail keygen`. */
export function addSetupCommands(root: Group): void {
  addCommand(root, {
    usage: 'init',
    about:
      'Write the configuration subrail.json in this folder, and new keys that only you can read in the data folder. It asks for what is not given, and overwrites nothing.',
    example: 'subrail init --network devnet --yes',
    options: {
      network: oneOf(['localnet', 'devnet', 'mainnet-beta'], 'where plans are charged'),
      chain: text('urls', 'the RPC servers, with commas between; a public one of devnet without it'),
      data_dir: text('folder', 'where keys and the database are kept; .subrail without it'),
      public_url: text('url', 'the address at which clients will reach the service'),
      service_name: text('name', 'the name in the terms that wallets sign'),
      clock: oneOf(['system', 'chain'], 'chain for a development chain whose time is moved'),
      yes: flag('ask nothing: take the defaults for what is not given'),
      ...JSON_OPTION,
    },
    async run({ terminal, options }) {
      const { askForSetup, initialize } = await import('../initialize.js');
      const { yes, json, ...choices } = options;
      const setup = await askForSetup(choices, yes === true ? { ...terminal, ask: null } : terminal);
      const result = await initialize(setup, terminal.folder);
      terminal.write(json === true ? `${JSON.stringify(result)}\n` : nextSteps(result, setup));
      return 0;
    },
  });
  addCommand(root, {
    usage: 'keygen',
    about: 'Make a new Solana key file that only you can read, and print its address.',
    example: 'subrail keygen --out owner.json',
    options: { out: text('file', 'where it is written; keypair.json without it'), ...JSON_OPTION },
    async run({ terminal, options: { out = 'keypair.json', json } }) {
      const { createKeyFile } = await import('../../state/signer-file.js');
      const file = resolve(terminal.folder, out);
      const address = await createKeyFile(file);
      if (address === null)
        throw new CommandFailed(`There is a file ${file} already. Choose another one with --out.`);
      terminal.write(json === true ? `${JSON.stringify({ address, file })}\n` : `${address}\n`);
      if (json !== true) terminal.tell(`The key is in ${file}. Whoever has this file has what it owns.\n`);
      return 0;
    },
  });
}

/** An RPC server that may have a local chain. */
const ON_THIS_MACHINE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/;

/** The steps after a setup. Every indented line can be run as printed. */
function nextSteps({ config, charger, network }: Initialized, { chain }: Setup): string {
  const fund =
    network === 'localnet'
      ? 'On the local chain it needs nothing: the first start gives it SOL.'
      : ON_THIS_MACHINE.test(chain ?? '')
        ? 'Give it SOL before charges are due: "subrail local fund" does, on a chain of "subrail localnet".'
        : `Send it SOL on ${network} before charges are due: 0.1 SOL pays for 20,000 charges and more.` +
          (network === 'devnet' ? ' On devnet https://faucet.solana.com gives some.' : '');
  return `The configuration is in ${config}.

The charger, which signs charges and pays their fees, is
  ${charger}
${fund}

Start the service, and then, in another terminal, create a project and a key for your app:
  subrail start
  subrail project create "My shop"
  subrail key create
`;
}
