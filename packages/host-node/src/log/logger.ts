import type { Logger } from '@subrail/core/ports';
import { pino } from 'pino';
import { pretty } from './pretty.js';
import { createRedactor } from './redact.js';

export interface LogOptions {
  /** Lines below this level are not written. */
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Texts that are replaced by `[redacted]`. API keys and webhook secrets are always removed. */
  readonly secrets: readonly string[];
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Makes a logger that writes a line of JSON for each entry, or readable lines to a terminal. */
export function createLogger({ level, secrets, stream }: LogOptions): Logger {
  const redact = createRedactor(secrets);
  const terminal = stream.isTTY === true;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write: (line: string) => void stream.write(terminal ? pretty(redact(line), stream) : redact(line)) },
  );
}
