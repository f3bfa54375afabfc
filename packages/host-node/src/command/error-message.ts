import { MovedDatabaseError, MoveRefused, SchemaDriftError } from '@subrail/adapters/kysely';
import { DamagedDatabaseError, PostgresRefusal } from '@subrail/adapters/postgres';
import { NotLanded } from '@subrail/adapters/solana';
import { DatabaseFileError } from '@subrail/adapters/sqlite';
import { WrongChain } from '@subrail/core';
import { CallError } from '@subrail/core/client';
import { Unavailable } from '@subrail/core/ports';
import { ConfigError } from '../config/config-error.js';
import { ListenError } from '../service/listen-error.js';
import { StateError } from '../state/state-error.js';
import { CommandFailed, isRefusal, UsageError } from './errors.js';

/** Errors whose message says what a person can fix. */
const READABLE = [
  ConfigError,
  StateError,
  ListenError,
  NotLanded,
  DatabaseFileError,
  DamagedDatabaseError,
  PostgresRefusal,
  SchemaDriftError,
  MovedDatabaseError,
  MoveRefused,
  Unavailable,
  WrongChain,
  CommandFailed,
  CallError,
];

/** The text of a failure: a sentence for a problem that a person can fix, or the stack of a bug. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return `${error.message}\nRun "subrail --help" to see the commands.`;
  if (isRefusal(error)) return `${error.message} (${error.code})`;
  if (READABLE.some((kind) => error instanceof kind)) return error.message;
  if ('code' in error && error.code === 'ERR_DLOPEN_FAILED') return foreignAddon(error);
  return error.stack ?? error.message;
}

function foreignAddon({ message }: Error): string {
  const [firstLine = ''] = message.split('\n');
  return (
    `A native addon does not fit this Node, ${process.version} on ${process.platform} ${process.arch}: it was built for another one. ` +
    `Build or install Subrail again with this Node. ${firstLine}`
  );
}
