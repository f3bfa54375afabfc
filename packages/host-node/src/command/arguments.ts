import { parseArgs } from 'node:util';

/** A parsed command line of `subrail`. */
export type Command =
  | { readonly kind: 'start'; readonly config: string | undefined }
  | {
      readonly kind: 'localnet';
      readonly port: number;
      /** The file that stores the chain. Null: the chain is in memory only. */
      readonly data: string | null;
      /** A file of the Subscriptions program. Null: the program built into the local chain. */
      readonly program: string | null;
    }
  | { readonly kind: 'fetch-program'; readonly rpcUrl: string; readonly file: string }
  | { readonly kind: 'reseal'; readonly config: string | undefined }
  | { readonly kind: 'demo' }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** Thrown when the arguments of a command are invalid. The message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: subrail [command]

  start [--config <file>]
      Run the service (the default). Without configuration it runs on a local chain
      and keeps its state in .subrail/ in the current folder.

  reseal [--config <file>]
      Encrypt every webhook secret in the database with sealing_key, so that the keys of
      older_sealing_keys can be removed. Hosts may run meanwhile.

  demo
      Play the lives of two subscriptions in a few seconds: paid, renewed, missed,
      recovered, stopped and closed; cancelled, resumed and ended.

  localnet [--port <port>] [--data <file>] [--program <file>]
      Run only a local chain: JSON-RPC on the port (8899 by default), notifications on
      the next one. Port 0 takes any free port. --data stores the chain in a file;
      --program runs a Subscriptions program file instead of the built-in program.

  localnet fetch-program <rpc url> <file>
      Download the deployed Subscriptions program into a file, for --program.

  --help, --version
      Print this help, or the version.
`;

/** Parses the arguments after `subrail`. @throws UsageError when they are invalid */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = splitArguments(args);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [command = 'start', ...operands] = positionals;
  switch (command) {
    case 'start':
      checkArguments(command, { values, operands, options: ['config'], operandNames: [] });
      return { kind: 'start', config: values.config };
    case 'reseal':
      checkArguments(command, { values, operands, options: ['config'], operandNames: [] });
      return { kind: 'reseal', config: values.config };
    case 'demo':
      checkArguments(command, { values, operands, options: [], operandNames: [] });
      return { kind: 'demo' };
    case 'localnet':
      if (operands[0] === 'fetch-program') return parseFetchProgram(values, operands.slice(1));
      checkArguments(command, { values, operands, options: ['port', 'data', 'program'], operandNames: [] });
      return {
        kind: 'localnet',
        port: parsePort(values.port ?? '8899'),
        data: values.data ?? null,
        program: values.program ?? null,
      };
    default:
      throw new UsageError(`subrail has no command "${command}".`);
  }
}

/** The options of all commands. The ones without a value are flags. */
const OPTIONS = {
  config: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  program: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;
type Values = {
  -readonly [Name in OptionName]?: (typeof OPTIONS)[Name]['type'] extends 'string' ? string : true;
};

/** Splits the arguments into options and the words around them. */
function splitArguments(args: readonly string[]): { values: Values; positionals: readonly string[] } {
  // Not strict, because Node's messages about options do not say what to do about them.
  const { tokens, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: OPTIONS,
  });
  const values: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind === 'option') values[token.name] = optionValue(token);
  }
  return { values, positionals };
}

function optionValue({ name, rawName, value }: OptionToken): string | true {
  if (!Object.hasOwn(OPTIONS, name)) throw new UsageError(`subrail has no option ${rawName}.`);
  if (OPTIONS[name as OptionName].type === 'boolean') {
    if (value === undefined) return true;
    throw new UsageError(`${rawName} takes no value.`);
  }
  if (value === undefined || value === '' || value.startsWith('-')) {
    throw new UsageError(`${rawName} needs a value.`);
  }
  return value;
}

/** An option as it was written, with its value if it got one. */
interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function parseFetchProgram(values: Values, operands: readonly string[]): Command {
  const operandNames = ['rpc url', 'file'];
  checkArguments('localnet fetch-program', { values, operands, options: [], operandNames });
  const [rpcUrl = '', file = ''] = operands;
  if (!URL.canParse(rpcUrl))
    throw new UsageError(`"${rpcUrl}" is not a URL: <rpc url> must be the URL of an RPC server.`);
  return { kind: 'fetch-program', rpcUrl, file };
}

/** The arguments that a command got, and those that it accepts. */
interface CommandArguments {
  readonly values: Values;
  readonly operands: readonly string[];
  /** The options that the command accepts. */
  readonly options: readonly string[];
  /** The operands that the command needs. */
  readonly operandNames: readonly string[];
}

/** Throws when an operand is missing, or when an option or operand is not one of the command's. */
function checkArguments(
  command: string,
  { values, operands, options, operandNames }: CommandArguments,
): void {
  const unknown = Object.keys(values).find((name) => !options.includes(name));
  if (unknown !== undefined) throw new UsageError(`"subrail ${command}" does not accept --${unknown}.`);
  const missing = operandNames[operands.length];
  if (missing !== undefined) throw new UsageError(`"subrail ${command}" needs <${missing}>.`);
  const extra = operands[operandNames.length];
  if (extra !== undefined) throw new UsageError(`"subrail ${command}" does not accept "${extra}".`);
}

function parsePort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_534) return port;
  throw new UsageError(`--port is "${text}": it must be a whole number from 0 to 65534.`);
}
