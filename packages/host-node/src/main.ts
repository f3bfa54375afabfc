#!/usr/bin/env node
import { whyBuiltCommandCannotRun } from './command/built-in-repository.js';
import { runCommand } from './command/run-command.js';
import { processTerminal } from './command/terminal.js';

const problem = whyBuiltCommandCannotRun(import.meta.url, () => import.meta.resolve('@subrail/core'));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

const code = await runCommand(process.argv.slice(2), processTerminal());
// After a failure something may be open still. Not closing it is safe: the next start recovers as it does after a kill.
if (code !== 0) process.exit(code);
