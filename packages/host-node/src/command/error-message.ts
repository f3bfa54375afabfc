import { DatabaseFileError, SchemaDriftError } from '@subrail/adapters/sqlite';
import { WrongChain } from '@subrail/core';
import { UnreadableChain } from '@subrail/localnet';
import { ConfigError } from '../config/config-error.js';
import { ListenError } from '../service/listen-error.js';
import { StateError } from '../state/state-error.js';
import { UsageError } from './arguments.js';
import { FetchFailed } from './fetch-program.js';

/** Errors whose message says what a person can fix. */
const READABLE = [
  ConfigError,
  StateError,
  ListenError,
  FetchFailed,
  UnreadableChain,
  DatabaseFileError,
  SchemaDriftError,
  WrongChain,
];

/** What a failed command prints: a sentence for a problem that a person can fix, or the stack of a bug. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\nRun "subrail --help" to see the commands.`;
  if (READABLE.some((kind) => error instanceof kind)) return error.message;
  return error.stack ?? error.message;
}
