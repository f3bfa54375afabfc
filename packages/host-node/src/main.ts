#!/usr/bin/env node
import { guardOutput } from './command/output-guard.js';
import { whyBuiltCommandCannotRun } from './command/built-in-repository.js';

const readerEnded = guardOutput(process.stdout, process.stderr, () => (process.exitCode = 1));
const problem = whyBuiltCommandCannotRun(import.meta.url, () => import.meta.resolve('@subrail/core'));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

// Imported only now, because the commands import what cannot run there.
const { runCommand } = await import('./command/run-command.js');
const { processTerminal } = await import('./command/terminal.js');
const code = await runCommand(process.argv.slice(2), processTerminal(readerEnded));
// After a failure something may be open. Leaving it is safe: the next start recovers as after a kill.
if (code !== 0) process.exit(code);
