import { inspect } from 'node:util';

import type { Logger } from '@subrail/core/ports';

interface LogEntry {
  readonly level: keyof Logger;
  readonly facts: object;
  readonly message: string;
}

/** A logger that keeps what the service logs, so that a test can find the errors that it did not expect. */
export interface TestLog {
  readonly logger: Logger;
  /** Every entry, of any level. */
  readonly entries: readonly LogEntry[];
  /** Every error, as its message and its facts, and every entry that breaks the convention of `Logger`. */
  readonly errors: string[];
  /** Removes the errors that contain a text, which a test provoked on purpose. */
  readonly forgiveErrors: (containing: string) => void;
}

/** Creates an empty log. */
export function createTestLog(): TestLog {
  const entries: LogEntry[] = [];
  const errors: string[] = [];
  const keep =
    (level: keyof Logger): Logger['info'] =>
    (facts, message) => {
      entries.push({ level, facts, message });
      if (level === 'error' && !isAlertAlone(facts)) errors.push(`${message} ${inspect(facts)}`);
      const misnamed = misnamedErrors(facts);
      if (misnamed.length > 0) errors.push(`An error is not under err, but ${misnamed.join()}: ${message}`);
    };
  return {
    logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
    entries,
    errors,
    forgiveErrors: (containing) =>
      void errors.splice(0, errors.length, ...errors.filter((line) => !line.includes(containing))),
  };
}

/** Whether an entry only says that an alert lasts. A fault of the service has an error. */
function isAlertAlone(facts: object): boolean {
  return 'alert' in facts && !('err' in facts);
}

/** The fields against the convention of `Logger`: an error not under `err`, or something else there. */
function misnamedErrors(facts: object): readonly string[] {
  return Object.entries(facts)
    .filter(([name, value]) => value instanceof Error !== (name === 'err'))
    .map(([name]) => name);
}
