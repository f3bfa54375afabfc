import type { UnreadableRecord } from '../ports/index.js';
import type { Service } from '../service.js';

/** Logs the records that the store cannot read, so that the answer goes on without them, and returns their ids. */
export function setAside(
  { logger }: Service,
  unreadable: readonly UnreadableRecord[],
  what: string,
): string[] {
  return unreadable.map(({ id, error }) => {
    logger.error({ record: id, err: error }, `${what}, because the store cannot read it.`);
    return id;
  });
}
