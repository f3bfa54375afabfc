import { SchemaDriftError } from '@subrail/adapters/sqlite';
import { UnreadableChain } from '@subrail/localnet';
import { ConfigError } from '../config/config-error.js';
import { StateError } from '../state/state-error.js';
import { UsageError } from './arguments.js';

const SENTENCES = [ConfigError, StateError, UnreadableChain, SchemaDriftError];

/** What a person is told when a command could not run: a sentence for what they can mend, the stack for a fault of ours. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\nRun "subrail --help" to see what it can do.`;
  if (SENTENCES.some((kind) => error instanceof kind)) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `Another program listens there already: ${error.message}. Stop it, or choose another port.`;
  }
  return error.stack ?? error.message;
}
