import { parseArgs } from 'node:util';

/** What the `subrail` command was asked to do. */
export type Command =
  | { readonly kind: 'start'; readonly config: string | undefined }
  | {
      readonly kind: 'localnet';
      readonly port: number;
      /** Where the chain is kept; null keeps it in memory only. */
      readonly data: string | null;
      /** A file of the Subscriptions program; null for the one that comes with the local chain. */
      readonly program: string | null;
    }
  | { readonly kind: 'fetch-program'; readonly rpcUrl: string; readonly file: string }
  | { readonly kind: 'demo' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** The arguments make no command. The message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: subrail [command]

  start [--config <file>]
      Run the service (the default). Without configuration it runs on a local chain
      and keeps everything in .subrail/ of the current folder.

  demo
      Play the life of a subscription in a few seconds: paid, renewed, missed,
      recovered, stopped.

  localnet [--port <port>] [--data <file>] [--program <file>]
      Run a local chain by itself: JSON-RPC on the port (8899), notifications on the
      next one; port 0 takes any that is free. --data keeps the chain in a file;
      --program runs a Subscriptions program file instead of the one built in.

  localnet fetch-program <rpc url> <file>
      Write the deployed Subscriptions program to a file, for --program.

  --help, --version
`;

/** Reads the arguments after `subrail`. @throws UsageError */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [command = 'start', ...operands] = positionals;
  switch (command) {
    case 'start':
      accept(command, { values, operands, options: ['config'], operandNames: [] });
      return { kind: 'start', config: values.config };
    case 'demo':
      accept(command, { values, operands, options: [], operandNames: [] });
      return { kind: 'demo' };
    case 'localnet':
      if (operands[0] === 'fetch-program') return fetchProgram(values, operands.slice(1));
      accept(command, { values, operands, options: ['port', 'data', 'program'], operandNames: [] });
      return {
        kind: 'localnet',
        port: portOf(values.port ?? '8899'),
        data: values.data ?? null,
        program: values.program ?? null,
      };
    default:
      throw new UsageError(`subrail has no command "${command}".`);
  }
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        program: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

function fetchProgram(values: Values, operands: readonly string[]): Command {
  const operandNames = ['rpc url', 'file'];
  accept('localnet fetch-program', { values, operands, options: [], operandNames });
  const [rpcUrl = '', file = ''] = operands;
  if (!URL.canParse(rpcUrl)) throw new UsageError(`"${rpcUrl}" is no address of an RPC server.`);
  return { kind: 'fetch-program', rpcUrl, file };
}

interface Accepted {
  readonly values: Values;
  readonly operands: readonly string[];
  readonly options: readonly string[];
  readonly operandNames: readonly string[];
}

/** Refuses what a command does not take, and the lack of what it needs. */
function accept(command: string, { values, operands, options, operandNames }: Accepted): void {
  const stray = Object.keys(values).find((name) => !options.includes(name));
  if (stray !== undefined) throw new UsageError(`"subrail ${command}" takes no --${stray}.`);
  const missing = operandNames[operands.length];
  if (missing !== undefined) throw new UsageError(`"subrail ${command}" needs <${missing}>.`);
  const extra = operands[operandNames.length];
  if (extra !== undefined) throw new UsageError(`"subrail ${command}" has no use for "${extra}".`);
}

function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_534) return port;
  throw new UsageError(`--port is "${text}": it must be a whole number from 0 to 65534.`);
}
