#!/usr/bin/env node
import { parseCommand, USAGE, UsageError, type Command } from './command/arguments.js';

// Each command loads only what it runs on: `--help` is not to wait for a chain.
async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'start': {
      const { start } = await import('./command/start.js');
      await start(command.config);
      return 0;
    }
    case 'demo': {
      const { demo } = await import('./demo/demo.js');
      return demo(process.stdout);
    }
    case 'localnet': {
      const { localnet } = await import('./command/localnet.js');
      await localnet(command);
      return 0;
    }
    case 'fetch-program': {
      const { fetchProgramTo } = await import('./command/fetch-program.js');
      await fetchProgramTo(command.rpcUrl, command.file);
      return 0;
    }
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'version': {
      const { VERSION } = await import('./version.js');
      process.stdout.write(`${VERSION}\n`);
      return 0;
    }
  }
}

try {
  process.exitCode = await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  const { errorMessage } = await import('./command/error-message.js');
  process.stderr.write(`${errorMessage(error)}\n`);
  // Whatever was opened on the way is left as a kill would leave it, which loses nothing.
  process.exit(error instanceof UsageError ? 2 : 1);
}
