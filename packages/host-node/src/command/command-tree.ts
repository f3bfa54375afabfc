import { Command, type CommanderError, Option as CommanderOption } from 'commander';
import { similarTo, suggestionOf } from '../suggestion.js';
import { readOption, type Options, type ValuesOf } from './option.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './errors.js';

/** Shared by the commands of one run. */
export interface Context {
  readonly terminal: Terminal;
  /** The arguments as they were typed. */
  readonly args: readonly string[];
  /** Sets the exit code of the process. */
  readonly finish: (code: number) => void;
}

/** A command with commands below it. */
export interface Group {
  readonly command: Command;
  readonly context: Context;
}

/** The call of a command. */
interface CommandCall<Declared extends Options> {
  readonly terminal: Terminal;
  /** The words besides options that the usage names: '' for an optional word that is missing. */
  readonly operands: readonly string[];
  readonly options: ValuesOf<Declared>;
}

export interface CommandDeclaration<Declared extends Options> {
  /** Its name and its operands, such as `show <id>`. */
  readonly usage: string;
  /** A description in a sentence or two. */
  readonly about: string;
  /** A command line. */
  readonly example: string;
  readonly options: Declared;
  /** Options listed apart, under a heading. */
  readonly general?: { readonly heading: string; readonly names: readonly string[] };
  /** Whether it runs when no command is named. */
  readonly isDefault?: boolean;
  /** @returns the exit code */
  readonly run: (call: CommandCall<Declared>) => Promise<number>;
}

/** Adds a command that only has commands below it. */
export function addGroup({ command, context }: Group, name: string, about: string): Group {
  const group = command.command(name).description(about);
  return { command: prepared(group, context), context };
}

/** The most columns of the help. */
const HELP_WIDTH = 100;

/** The commands that run something. */
const runnable = new WeakSet<Command>();

/** Adds a command, and returns it as the group of commands below it. */
export function addCommand<Declared extends Options>(
  { command: parent, context }: Group,
  { usage, about, example, options, general, isDefault = false, run }: CommandDeclaration<Declared>,
): Group {
  const [name = '', ...operandNames] = usage.split(/ (?=[<[])/);
  const command = parent
    .command(name, { isDefault })
    .description(about)
    .addHelpText('after', `\nExample:\n  ${example}`);
  for (const operand of operandNames) command.argument(operand);
  for (const [key, declared] of Object.entries(options)) {
    const flagName = flagOf(key);
    const { placeholder, required } = declared;
    const option = new CommanderOption(
      placeholder === null ? flagName : `${flagName} <${placeholder}>`,
      required ? `${declared.about} (required)` : declared.about,
    );
    if (placeholder !== null) {
      // The library would take a value that is null for one that is missing.
      option.argParser((value) => ({ value: readOption(declared, flagName, value) }));
    }
    if (general?.names.includes(key) === true) option.helpGroup(general.heading);
    command.addOption(option);
  }
  prepared(command, context).action(async () => {
    const values = valuesOf(command, options);
    const operands = command.registeredArguments.map((_, at) => String(command.processedArgs[at] ?? ''));
    context.finish(await run({ terminal: context.terminal, operands, options: values }));
  });
  runnable.add(command);
  return { command, context };
}

/** The name of a command from the first word on, such as `subrail plan create`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function valuesOf<Declared extends Options>(command: Command, options: Declared): ValuesOf<Declared> {
  const typed = command.opts<Record<string, true | { readonly value: unknown } | undefined>>();
  const values = Object.entries(options).map(([name, { required }]) => {
    const attribute = new CommanderOption(flagOf(name)).attributeName();
    const option = typed[attribute];
    const value = typeof option === 'object' ? option.value : option;
    if (required && value === undefined) {
      throw new UsageError(`"${pathOf(command)}" needs ${flagOf(name)}.`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(values) as ValuesOf<Declared>;
}

/** Makes a command throw a sentence on wrong usage, instead of ending the process. */
function prepared(command: Command, { args }: Context): Command {
  return command.helpCommand(false).exitOverride((error) => {
    throw explained(command, error, args);
  });
}

/** The root of the tree, without any command yet. */
export function createRoot(context: Context): Group {
  const { terminal } = context;
  const command = prepared(new Command('subrail'), context).configureOutput({
    writeOut: (text) => {
      terminal.write(text);
    },
    // The sentence of an error is written where the error is caught.
    writeErr: () => undefined,
    getOutHasColors: () => terminal.colours,
    getOutHelpWidth: () => Math.min(terminal.columns ?? HELP_WIDTH, HELP_WIDTH),
  });
  command.helpCommand('help [command]', 'print the help of a command');
  return { command, context };
}

/** The error of the library as a sentence that says what to do. Help and the version are no errors. */
function explained(command: Command, error: CommanderError, args: readonly string[]): Error {
  const path = pathOf(command);
  const [, quoted = ''] = /'([^']*)'/.exec(error.message) ?? [];
  const after = suggestionOf(error);
  switch (error.code) {
    case 'commander.unknownCommand':
      return new UsageError(`${path} has no command "${quoted}".${after}`);
    case 'commander.excessArguments': {
      const extra = command.args[command.registeredArguments.length] ?? '';
      // The default command gets every word that names no command.
      return command.parent?.parent === null && !args.includes(command.name())
        ? new UsageError(`subrail has no command "${extra}".${similarTo(extra, namesOf(command.parent))}`)
        : new UsageError(`"${path}" does not accept "${extra}".`);
    }
    case 'commander.unknownOption':
      return new UsageError(unknownOption(command, quoted, after));
    case 'commander.missingArgument':
      return new UsageError(`"${path}" needs <${quoted}>.`);
    case 'commander.optionMissingArgument':
      return new UsageError(`${quoted.split(' ')[0] ?? quoted} needs a value.`);
    case 'commander.help':
      return new UsageError(`"${path}" needs one of: ${namesOf(command).join(', ')}.`);
    default:
      return error;
  }
}

function unknownOption(command: Command, typed: string, after: string): string {
  const [name = typed] = typed.split('=');
  const ofTree = optionsOf(rootOf(command));
  if (name !== typed && ofTree.has(name)) return `${name} takes no value.`;
  return ofTree.has(name)
    ? `"${pathOf(command)}" does not accept ${name}.${after}`
    : `subrail has no option ${name}.${after}`;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** The options of a command and of the commands below it. */
function optionsOf(command: Command): ReadonlySet<string> {
  const own = command.options.flatMap(({ long, short }) => [long, short]).filter((name) => name != null);
  return new Set([...own, '--help', '-h', ...command.commands.flatMap((one) => [...optionsOf(one)])]);
}

function namesOf({ commands }: Command): readonly string[] {
  return commands.map((one) => one.name());
}

/** Every command of a tree that runs something, as typed, with its description. */
export function listedCommands(
  command: Command,
): readonly { readonly usage: string; readonly about: string }[] {
  const operands = command.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  const usage = [pathOf(command), ...operands].join(' ');
  return [
    ...(runnable.has(command) ? [{ usage, about: command.description() }] : []),
    ...command.commands.flatMap(listedCommands),
  ];
}
