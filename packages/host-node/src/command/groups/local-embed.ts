import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { shellWord } from '@subrail/adapters/node';
import type { Group } from '../command-tree.js';
import { CommandFailed } from '../errors.js';
import { databaseNamed } from '../database-named.js';
import { addManaged, OUTPUT_OPTIONS } from '../managed.js';
import { text } from '../option.js';
import { subrailOn } from '../sandbox/command-name.js';
import type { EmbeddedDatabase } from '../sandbox/embedded-database.js';

/** `subrail local embed`. */
export function addEmbedCommand(group: Group): void {
  addManaged(group, {
    usage: 'embed <database>',
    about:
      'Make a database for your own app on the local chain, with a project, a plan, an API key and an endpoint, and print how the app opens it.',
    example: 'subrail local embed billing.db --webhook http://localhost:3000/webhooks',
    ofProject: false,
    options: { webhook: text('url', 'where webhooks are posted; no endpoint without it'), ...OUTPUT_OPTIONS },
    async run({ terminal, opened, operands: [given = ''], options: { webhook } }) {
      const { config } = opened;
      if (config === null)
        throw new CommandFailed('This works beside the host of the local chain: leave --url out.');
      const { openSandbox } = await import('../sandbox/sandbox.js');
      const { createEmbeddedDatabase } = await import('../sandbox/embedded-database.js');
      const rpc = await openSandbox(opened, undefined);
      const database = databaseNamed(given, { option: 'The database', folder: terminal.folder });
      return createEmbeddedDatabase({ database, webhook }, { dataDir: config.dataDir, rpc });
    },
    shown: (embedded, { terminal: { folder }, opened }) =>
      howToOpen(embedded, folder, opened.config?.dataDir ?? null),
  });
}

function howToOpen(embedded: EmbeddedDatabase, folder: string, dataDir: string | null): string {
  // The address of a Postgres database is no path.
  const path = (file: string) => (isAbsolute(file) ? relative(folder, file) : file);
  const quoted = (value: string) => `'${value.replace(/['\\]/g, '\\$&')}'`;
  const secret =
    embedded.webhook_secret === null ? '' : `\nIts webhooks are signed with\n  ${embedded.webhook_secret}\n`;
  const sealingKey = readFileSync(embedded.sealing_key_file, 'utf8').trim();
  // A webhook to this machine is a private target.
  const settings = embedded.webhook_secret === null ? '' : 'settings: { privateTargets: true }';
  const command = `SUBRAIL_DATABASE=${shellWord(path(embedded.database))} ${subrailOn(dataDir, folder)}`;
  return `Open it in an app of this folder:

  import { readFileSync } from 'node:fs';
  import { openBilling } from '@subrail/adapters/node';

  const billing = await openBilling({
    database: ${quoted(path(embedded.database))},
    rpc: ${quoted(embedded.rpc)},
    charger: ${quoted(path(embedded.charger_file))},
    sealingKey: readFileSync(${quoted(path(embedded.sealing_key_file))}, 'utf8'),
    clock: 'chain',${settings && `\n    ${settings},`}
  });
  const shop = billing.project(${quoted(embedded.project)});

Or with these settings in the environment, in an app of any folder:

  const open = openBillingOnce(${settings && `{ ${settings} }`});

  SUBRAIL_DATABASE=${shellWord(embedded.database)}
  SUBRAIL_CHAIN=${embedded.rpc}
  SUBRAIL_CHARGER_KEY=${shellWord(embedded.charger_file)}
  SUBRAIL_SEALING_KEY=${sealingKey}
  SUBRAIL_CLOCK=chain
  SUBRAIL_PROJECT=${embedded.project}

Its plan is ${embedded.plan}. The attribute chain="solana:localnet" of an element keeps it from links to an
explorer, which has nothing of this chain. Over HTTP the API key is
  ${embedded.api_key}
${secret}
While your app runs its worker, look at it, and pass a month with every charge on the way:
  ${command} plan list
  ${command} local time +30d
`;
}
