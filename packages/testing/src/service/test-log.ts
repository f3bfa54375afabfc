import { inspect } from 'node:util';

import type { Logger } from '@subrail/core';

/** A logger that keeps what the service logs, so that a test can find the errors that it did not expect. */
export interface TestLog {
  readonly logger: Logger;
  /** Every message, of any level. */
  readonly messages: readonly string[];
  /** Every error, as its message and its facts. */
  readonly errors: string[];
  /** Removes the errors that contain a text, which a test provoked on purpose. */
  readonly forgiveErrors: (containing: string) => void;
}

/** Creates an empty log. */
export function createTestLog(): TestLog {
  const messages: string[] = [];
  const errors: string[] = [];
  const keepMessage: Logger['info'] = (_facts, message) => void messages.push(message);
  return {
    logger: {
      debug: keepMessage,
      info: keepMessage,
      warn: keepMessage,
      error(facts, message) {
        messages.push(message);
        errors.push(`${message} ${inspect(facts)}`);
      },
    },
    messages,
    errors,
    forgiveErrors: (containing) =>
      void errors.splice(0, errors.length, ...errors.filter((line) => !line.includes(containing))),
  };
}
