import { rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SubscriptionStatus } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { CommandFailed, UsageError } from '../errors.js';
import { addManaged, type ManagedCall } from '../managed.js';
import { flag, oneOf, text, type Options } from '../option.js';
import { FIGURE_OPTIONS } from './figures.js';
import { PAYMENT_OPTIONS } from './payment.js';

const FORMAT_OPTIONS = {
  format: oneOf(['csv', 'ndjson'], 'the form of the file; csv without it'),
  output: text('file', 'the file to write; without it the text is the output of the command'),
};

/** `subrail export`. */
export function addExportCommands(root: Group): void {
  const group = addGroup(root, 'export', 'Exports for bookkeeping and other programs: CSV or NDJSON.');
  addManaged(group, {
    usage: 'payments',
    about: 'Export the payments of the whole project, newest first: those that fit all that is given.',
    example: 'subrail export payments --from 2026-10-01 --to 2026-10-31 --output october.csv',
    operations: ['payments.export'],
    options: { ...PAYMENT_OPTIONS, ...FORMAT_OPTIONS },
    run: (call) =>
      written(call, async ({ format = 'csv', output: _, ...filter }) =>
        (await call.project()).payments.export({ format, ...filter }),
      ),
    shown,
  });
  addManaged(group, {
    usage: 'subscriptions',
    about: 'Export the subscriptions of the whole project, newest first: those that fit all that is given.',
    example: 'subrail export subscriptions --status active --output active.csv',
    operations: ['subscriptions.export'],
    options: {
      plan: text('slug', 'only those of this plan'),
      status: oneOf(SubscriptionStatus.options, 'only those in this state'),
      late: flag('only those that are late'),
      blocked: flag('only those that are blocked'),
      ending: flag('only those that are cancelled and not over yet, or whose plan ends'),
      ...FORMAT_OPTIONS,
    },
    run: (call) =>
      written(call, async ({ format = 'csv', output: _, ...filter }) =>
        (await call.project()).subscriptions.export({ format, ...filter }),
      ),
    shown,
  });
  addManaged(group, {
    usage: 'figures',
    about: 'Export the figures, the earliest first: a row for each day, week or month, plan and token.',
    example: 'subrail export figures --from 2026-01-01 --to 2026-12-31 --output figures.csv',
    operations: ['reports.export'],
    options: { ...FIGURE_OPTIONS, ...FORMAT_OPTIONS },
    run: (call) =>
      written(call, async ({ format = 'csv', output: _, ...query }) =>
        (await call.project()).reports.export({ format, ...query }),
      ),
    shown,
  });
}

/** The file that was written; null when the text was the output. */
interface Written {
  readonly file: string | null;
}

/** Writes an export part by part, to a file, which gets its name when it is whole, or as the output. */
async function written<Declared extends Options & typeof FORMAT_OPTIONS>(
  { terminal, options, json }: ManagedCall<Declared>,
  exported: (options: ManagedCall<Declared>['options']) => Promise<AsyncIterable<string>>,
): Promise<Written> {
  const { output } = options as { readonly output: string | undefined };
  if (output === undefined) {
    if (json) throw new UsageError('--json needs --output <file>, because the text itself is the output.');
    for await (const part of await exported(options)) {
      terminal.write(part);
      await terminal.taken?.();
    }
    return { file: null };
  }
  const file = isAbsolute(output) ? output : join(terminal.folder, output);
  const part = `${file}.part`;
  const parts = await exported(options);
  try {
    // It has addresses of customers.
    await pipeline(parts, createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    const isOfFile = error instanceof Error && 'syscall' in error;
    throw isOfFile ? new CommandFailed(`${file} cannot be written: ${error.message}.`) : error;
  }
  return { file };
}

function shown({ file }: Written): string {
  return file === null ? '' : `Written: ${file}\n`;
}
