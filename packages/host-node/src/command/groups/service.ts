import { addCommand, type Group } from '../command-tree.js';
import type { LocalnetOptions } from '../localnet.js';
import { text } from '../option.js';
import { UsageError } from '../errors.js';

const CONFIG = { config: text('file', 'the configuration; else SUBRAIL_CONFIG, else subrail.json') };

/** The services behind the commands. Each imports its modules on use: `--help` loads no chain. */
export const SERVICES = {
  start: async (config: string | undefined) => (await import('../start.js')).start(config),
  demo: async () => (await import('../../demo/demo.js')).demo(process.stdout),
  localnet: async (options: LocalnetOptions) => (await import('../localnet.js')).localnet(options),
  fetchProgramTo: async (rpcUrl: string, file: string) =>
    (await import('../fetch-program.js')).fetchProgramTo(rpcUrl, file),
};
export type Services = typeof SERVICES;

/** `subrail start`, `demo` and `localnet`. */
export function addServiceCommands(root: Group, services: Services): void {
  addCommand(root, {
    usage: 'start',
    about:
      'Run the service (the default). Without configuration it runs on a local chain and keeps its state in .subrail/ in the current folder.',
    example: 'subrail start --config subrail.json',
    options: CONFIG,
    isDefault: true,
    async run({ options: { config } }) {
      await services.start(config);
      return 0;
    },
  });
  addCommand(root, {
    usage: 'demo',
    about:
      'Play the lives of two subscriptions in a few seconds: paid, renewed, missed, recovered, stopped and closed; cancelled, resumed and ended.',
    example: 'subrail demo',
    options: {},
    run: () => services.demo(),
  });
  const localnet = addCommand(root, {
    usage: 'localnet',
    about: 'Run only a local chain: JSON-RPC on the port, notifications on the next one.',
    example: 'subrail localnet --port 8899 --data chain',
    options: {
      port: text('port', 'the port, 8899 without it; 0 takes any free one'),
      data: text('file', 'the file that stores the chain; without it the chain is in memory'),
      program: text('file', 'a Subscriptions program file, in place of the built-in program'),
      'lamports-per-byte': text(
        'number',
        'the rent of each byte, which clusters lower in steps (6960, 6333, 5080, 2575, 1322, 696); without it 6960, or that of the file',
      ),
    },
    async run({ options }) {
      await services.localnet({
        port: readPort(options.port ?? '8899'),
        data: options.data ?? null,
        program: options.program ?? null,
        lamportsPerByte: readRent(options['lamports-per-byte']),
      });
      return 0;
    },
  });
  addCommand(localnet, {
    usage: 'fetch-program <rpc url> <file>',
    about: 'Download the deployed Subscriptions program into a file, for --program.',
    example: 'subrail localnet fetch-program https://api.mainnet-beta.solana.com program.so',
    options: {},
    async run({ operands: [rpcUrl = '', file = ''] }) {
      if (!URL.canParse(rpcUrl)) {
        throw new UsageError(`"${rpcUrl}" is not a URL: <rpc url> must be the URL of an RPC server.`);
      }
      await services.fetchProgramTo(rpcUrl, file);
      return 0;
    },
  });
}

function readRent(typed: string | undefined): bigint | null {
  if (typed === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(typed)) return BigInt(typed);
  throw new UsageError(`--lamports-per-byte is "${typed}": it must be a whole number from 1 to 999999999.`);
}

function readPort(typed: string): number {
  const port = /^\d+$/.test(typed) ? Number(typed) : NaN;
  if (port >= 0 && port <= 65_534) return port;
  throw new UsageError(`--port is "${typed}": it must be a whole number from 0 to 65534.`);
}
