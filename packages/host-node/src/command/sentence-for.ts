import { ConfigError } from '../config/config-error.js';
import { FolderInUse } from '../state/lock.js';
import { UsageError } from './arguments.js';

/** What a person is told when a command could not run: a sentence for what they can mend, the stack for a fault of ours. */
export function sentenceFor(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof UsageError) return `${error.message}\nRun "subrail --help" to see what it can do.`;
  if (error instanceof FolderInUse) return `${error.message} Stop that one first, or set SUBRAIL_DATA_DIR.`;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `Another program listens there already: ${error.message}. Stop it, or choose another port.`;
  }
  return error.stack ?? error.message;
}
