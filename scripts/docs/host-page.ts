import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedCommands } from '../../packages/host-node/src/command/command-tree.js';
import { createProgram } from '../../packages/host-node/src/command/program.js';
import { fakeTerminal } from '../../packages/host-node/src/command/tests/fake-terminal.js';
import { ROOT } from '../tasks/repository.mjs';

const TABLE = /(\| Command \| What it does \|\n\|---\|---\|\n)(?:\| `subrail [^\n]*\n)+/;

/** The page of the host, with every command and what it does. */
export function hostPage(): string {
  const { terminal } = fakeTerminal({ folder: '/' });
  const { command } = createProgram({ terminal, args: [], finish: () => undefined });
  const rows = listedCommands(command).map(({ usage, about }) => `| \`${usage}\` | ${about} |\n`);
  const page = readFileSync(join(ROOT, 'docs/host.md'), 'utf8');
  return page.replace(TABLE, (_, head: string) => head + rows.join(''));
}
