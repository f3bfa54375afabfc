import { shellWord } from '@subrail/adapters/node';
import type { Manager } from '@subrail/core/client';
import type { ProjectBilling } from '@subrail/core';
import { CommandFailed, NO_HOST, UsageError } from './errors.js';
import { addCommand, type Group } from './command-tree.js';
import type { OpenedManager } from './open-manager.js';
import { flag, text, whole, type Options, type ValuesOf } from './option.js';
import { PLACE_OPTIONS, placeOf } from './place.js';
import { subrailOn } from './sandbox/command-name.js';
import { details, rowsTable } from './table.js';
import { barOn, progressOn, type Terminal } from './terminal.js';

/** The call of a command over the functions of a service. */
export interface ManagedCall<Declared extends Options> {
  readonly terminal: Terminal;
  readonly manager: Manager;
  readonly opened: OpenedManager;
  readonly operands: readonly string[];
  /** The values of the declared options, under the names of an operation's input. */
  readonly options: ValuesOf<Declared>;
  /** The project that an operand or `--project` names, or the only one. An empty operand names none. */
  readonly project: (operand?: string) => Promise<ProjectBilling>;
  /** The options that name the same host and project to the next command; empty when none was typed. */
  readonly repeated: string;
  /** Whether the output is the object of the service, and nothing else. */
  readonly json: boolean;
  /** Tells how far a long command is. */
  readonly progress: (sentence: string) => void;
  /** Draws how much of a long command is done, and where it is. */
  readonly bar: (done: number, all: number, at: string) => void;
}

/** Shows a result to a person: a function, or the fields of a table. */
type Shown<Result> = readonly string[] | ((result: Result, call: ShownCall) => string | Promise<string>);

type ShownCall = Pick<ManagedCall<Options>, 'terminal' | 'opened' | 'operands' | 'project'>;

/** The start of the next command line. */
export function nextCommand({ terminal, opened }: Pick<ShownCall, 'terminal' | 'opened'>): string {
  return subrailOn(opened.config?.dataDir ?? null, terminal.folder);
}

/** The last line for a person, with the command that usually follows. */
export function nextLine(
  call: Pick<ManagedCall<Options>, 'terminal' | 'opened' | 'repeated'>,
  words: string,
): string {
  return `Next: ${nextCommand(call)} ${words}${call.repeated}`;
}

/** A command over the functions of a service. */
export interface ManagedDeclaration<Declared extends Options, Result> {
  /** Its name and its operands, such as `show <id>`. */
  readonly usage: string;
  readonly about: string;
  readonly example: string;
  /** The operations of the service that it calls. */
  readonly operations?: readonly string[];
  readonly options?: Declared;
  /** Whether the command works on one project, which `--project` names. Default: true. */
  readonly ofProject?: boolean;
  /** The question before a step that cannot be undone. */
  readonly question?: (operands: readonly string[]) => string;
  /** Calls the service, and returns the output of `--json`. */
  readonly run: (call: ManagedCall<Declared>) => Promise<Result>;
  /** Default: the fields of the result, one a line. */
  readonly shown?: Shown<Result>;
  /** The words of the command that usually follows, for a person; null when none does. */
  readonly next?: (result: Result, call: ManagedCall<Declared>) => string | null | Promise<string | null>;
  /** The exit code for a result. Default: 0. */
  readonly exitCode?: (result: Result) => number;
}

export const OUTPUT_OPTIONS = {
  json: flag('print the object of the service as JSON, and nothing else'),
  yes: flag('answer every question with yes'),
};
/** The options of a list that comes in pages. */
export const PAGE_OPTIONS = {
  limit: whole('count', 'how many to list, 1 to 100; 20 without it'),
  starting_after: text('id', 'the last item of the page before'),
};
export const PROJECT_OPTION = {
  project: text('id', 'the project; or SUBRAIL_PROJECT. Without it the only one there is'),
};
const GENERAL = {
  heading: 'Where it works, and how it answers:',
  names: [...Object.keys(PLACE_OPTIONS), ...Object.keys(OUTPUT_OPTIONS), ...Object.keys(PROJECT_OPTION)],
};

const operationsOf = new WeakMap<object, readonly string[]>();

/** The operations of the service that a command calls. */
export function calledBy(command: object): readonly string[] {
  return operationsOf.get(command) ?? [];
}

/** Adds a command over the functions of a service. */
export function addManaged<Result, const Declared extends Options = Options>(
  group: Group,
  declared: ManagedDeclaration<Declared, Result>,
): void {
  const { usage, about, example, question, ofProject = true } = declared;
  const options = {
    ...(declared.options ?? {}),
    ...(ofProject ? PROJECT_OPTION : {}),
    ...PLACE_OPTIONS,
    ...OUTPUT_OPTIONS,
  };
  const { command } = addCommand(group, {
    usage,
    about,
    example,
    options,
    general: GENERAL,
    async run({ terminal, operands, options: values }) {
      const general = values as ValuesOf<Declared> & GeneralValues;
      const place = placeOf(general, terminal);
      if (question !== undefined && general.yes === undefined) await confirm(question(operands), terminal);
      const { openManager } = await import('./open-manager.js');
      const opened = await openManager(place, terminal);
      const { manager } = opened;
      try {
        const id = general.project ?? terminal.environment['SUBRAIL_PROJECT'];
        const project = async (operand = '') => {
          if (operand !== '' && general.project !== undefined)
            throw new UsageError(`Name the project once: ${operand}, or --project ${general.project}.`);
          return manager.project(operand === '' ? await findProject(manager, id) : operand);
        };
        const progress = progressOn(terminal, general.json);
        const bar = barOn(terminal, general.json);
        const own = Object.entries(values).filter(([name]) => name in (declared.options ?? {}));
        const options = Object.fromEntries(own) as ValuesOf<Declared>;
        const repeated = repeatedOptions(general);
        const json = general.json === true;
        const call = { terminal, manager, opened, operands, options, project, progress, bar, repeated, json };
        const result = await declared.run(call).catch((error: unknown) => {
          throw withReason(error, opened);
        });
        if (json) terminal.write(`${JSON.stringify(result ?? {})}\n`);
        else {
          const next = (await declared.next?.(result, call)) ?? null;
          const text = await show(declared.shown, result, call);
          terminal.write(next === null ? text : `${text}${nextLine(call, next)}\n`);
        }
        return declared.exitCode?.(result) ?? 0;
      } finally {
        await opened.close();
      }
    },
  });
  operationsOf.set(command, declared.operations ?? []);
}

/** The typed options of a place and a project, as a shell reads them. A key is never repeated. */
function repeatedOptions({ config, url, key_file, project }: GeneralValues): string {
  const typed = Object.entries({ config, url, 'key-file': key_file, project });
  return typed.map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`)).join('');
}

type GeneralValues = ValuesOf<typeof PLACE_OPTIONS & typeof OUTPUT_OPTIONS> &
  Partial<ValuesOf<typeof PROJECT_OPTION>>;

async function confirm(question: string, { ask }: Terminal): Promise<void> {
  if (ask === null) throw new UsageError(`${question} Add --yes, because nobody can be asked here.`);
  if (!/^y(es)?$/i.test(await ask(`${question} [y/N] `))) throw new CommandFailed('Nothing was done.');
}

async function findProject(manager: Manager, id: string | undefined): Promise<string> {
  if (id !== undefined) return id;
  const projects = await manager.projects.list();
  const [only] = projects;
  if (only === undefined) {
    throw new UsageError('There is no project yet. Create one: subrail project create <name>');
  }
  if (projects.length === 1) return only.id;
  const list = projects.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new UsageError(`There are several projects. Name one with --project or SUBRAIL_PROJECT: ${list}.`);
}

/** Names the missing host as the reason why the network is unavailable on a local chain. */
function withReason(error: unknown, { hasChain }: OpenedManager): unknown {
  if (hasChain || !(error instanceof Error) || !('code' in error) || error.code !== 'network_unavailable') {
    return error;
  }
  return new CommandFailed(NO_HOST);
}

/** Writes a page or a list as a table, anything else as its fields. */
async function show<Result>(
  shown: Shown<Result> | undefined,
  result: Result,
  call: ShownCall,
): Promise<string> {
  if (typeof shown === 'function') return shown(result, call);
  const { terminal } = call;
  if (result === undefined || result === null) return 'Done.\n';
  if (shown === undefined) return details(terminal, result);
  return listed(terminal, shown, result as never);
}

/** Writes a page or a list as a table, and where the next page begins. `rowOf` makes a row of an item. */
export function listed<Item>(
  terminal: Terminal,
  columns: readonly string[],
  result: { readonly data: readonly Item[] },
  rowOf: (item: Item) => object = (item) => item as object,
): string {
  const rows = rowsOf(result).map((item) => rowOf(item as Item));
  const next = nextOf(result);
  const more = next === null ? '' : `There are more: add --starting-after ${next}\n`;
  const { unreadable = [] } = result as { readonly unreadable?: readonly string[] };
  if (rows.length === 0)
    return `There are none${next === null ? '' : ' on this page'}.\n${more}${leftOut(unreadable)}`;
  return rowsTable(terminal, columns, rows) + more + leftOut(unreadable);
}

/** Names the unreadable rows that an answer lacks: without them it would look whole. */
export function leftOut(unreadable: readonly string[]): string {
  if (unreadable.length === 0) return '';
  return `\nLeft out, because they cannot be read: ${unreadable.join(', ')}. "subrail doctor" says what to do.\n`;
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(result: unknown): readonly Row[] {
  if (Array.isArray(result)) return result as readonly Row[];
  const lists = Object.values(result as object).filter((value) => Array.isArray(value));
  return (lists[0] ?? []) as readonly Row[];
}

/** The start of the next page: as the page says, or its last item. */
function nextOf(result: unknown): string | null {
  const page = result as {
    readonly has_more?: boolean;
    readonly next?: string;
    readonly data?: readonly Row[];
  };
  if (page.has_more !== true) return null;
  return page.next ?? String(page.data?.at(-1)?.['id']);
}
