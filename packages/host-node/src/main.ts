#!/usr/bin/env node
import { parseCommand, USAGE, UsageError, type Command } from './command/arguments.js';
import { fetchProgramTo } from './command/fetch-program.js';
import { localnet } from './command/localnet.js';
import { start } from './command/start.js';
import { sentenceFor } from './command/sentence-for.js';
import { demo } from './demo/demo.js';
import { VERSION } from './version.js';

async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'start':
      await start(command.config);
      return 0;
    case 'demo':
      return demo(process.stdout);
    case 'localnet':
      await localnet(command);
      return 0;
    case 'fetch-program':
      await fetchProgramTo(command.rpcUrl, command.file);
      return 0;
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      return 0;
  }
}

try {
  process.exitCode = await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  // Whatever was opened on the way is left as a kill would leave it, which loses nothing.
  process.exit(error instanceof UsageError ? 2 : 1);
}
