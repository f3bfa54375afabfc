import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../packages/core/src/index.js';
import { listedCommands } from '../../packages/host-node/src/command/command-tree.js';
import { createProgram } from '../../packages/host-node/src/command/program.js';
import { fakeTerminal } from '../../packages/host-node/src/command/tests/fake-terminal.js';
import { ROOT } from '../tasks/repository.mjs';
import { changesSource } from './changes.js';
import { factsSource } from './facts.js';
import { mailLayoutSource } from './mail-layout.js';
import { mailPage } from './mail-page.js';
import { publicNamesPage } from './public-names.js';
import { referencePage } from './reference.js';
import { routesSource } from './routes.js';

const COMMANDS = /(\| Command \| What it does \|\n\|---\|---\|\n)(?:\| `subrail [^\n]*\n)+/;

/** The page of the host, with every command and what it does. */
function hostPage(): string {
  const { terminal } = fakeTerminal({ folder: '/' });
  const { command } = createProgram({ terminal, args: [], finish: () => undefined });
  const rows = listedCommands(command).map(({ usage, about }) => `| \`${usage}\` | ${about} |\n`);
  const page = readFileSync(join(ROOT, 'docs/host.md'), 'utf8');
  return page.replace(COMMANDS, (_, head: string) => head + rows.join(''));
}

/** The text of each file that is generated from other files, by its path from the root. */
export async function pages(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/reference.md', referencePage(document)],
    ['docs/evidence/public-names.md', publicNamesPage()],
    ['docs/host.md', hostPage()],
    ['docs/mail.md', mailPage()],
    ['packages/core/src/mails/layout.ts', await mailLayoutSource()],
    ['packages/core/src/client/routes.ts', routesSource()],
    ['packages/host-node/src/mcp/facts.ts', factsSource()],
    ['packages/pages/browser/dashboard/changes.ts', changesSource()],
  ]);
}

// `npm run docs` writes them.
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of await pages()) {
    writeFileSync(join(ROOT, path), text);
    console.log(path);
  }
