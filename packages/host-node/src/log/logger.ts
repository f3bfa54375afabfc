import type { Logger } from '@subrail/core';
import { pino } from 'pino';
import { pretty } from './pretty.js';
import { createRedactor } from './redact.js';

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Texts that must never be written. */
  readonly secrets: readonly string[];
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

const asError = pino.stdSerializers.err;

/** The service's log: a line of JSON each, or readable lines when the stream is a terminal. */
export function createLogger({ level, secrets, stream }: LogOptions): Logger {
  const redact = createRedactor(secrets);
  const terminal = stream.isTTY === true;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: asError, error: asError, cause: asError },
    },
    { write: (line: string) => void stream.write(terminal ? pretty(redact(line), stream) : redact(line)) },
  );
}
