#!/usr/bin/env node
import { whyBuiltCommandCannotRun } from './command/built-in-repository.js';
import { parseCommand, USAGE, UsageError, type Command } from './command/arguments.js';

// Each command imports its own modules, so that `--help` does not load a chain.
async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case 'start': {
      const { start } = await import('./command/start.js');
      await start(command.config);
      return 0;
    }
    case 'reseal': {
      const { reseal } = await import('./command/reseal.js');
      return reseal(command.config, process.stdout);
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

const problem = whyBuiltCommandCannotRun(import.meta.url, () => import.meta.resolve('@subrail/core'));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

try {
  process.exitCode = await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  const { errorMessage } = await import('./command/error-message.js');
  process.stderr.write(`${errorMessage(error)}\n`);
  // What was opened is not closed, which is safe: the next start recovers as it does after a kill.
  process.exit(error instanceof UsageError ? 2 : 1);
}
