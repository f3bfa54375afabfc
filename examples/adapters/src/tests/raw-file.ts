import { existsSync, readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { RawReader } from '@subrail/core/testing';
import { noRows, type Rows, type Tables } from '../tables.js';

/** Reads the rows of a file without the store: the kit checks what is in the file, not what the store says. */
export function rawFile(path: string): RawReader {
  const tables = () => (existsSync(path) ? (deserialize(readFileSync(path)) as Tables) : noRows());
  const row = <Name extends keyof Rows>(name: Name, id: string) => tables()[name].get(id) ?? null;
  const ms = (date: Date | null) => date?.getTime() ?? null;
  return {
    count: async (kind) => tables()[kind].size,
    async apiKey(id) {
      const found = row('apiKeys', id);
      return found && { lastUsedAt: ms(found.lastUsedAt), revokedAt: ms(found.revokedAt) };
    },
    async plan(id) {
      const found = row('plans', id);
      return found && { version: found.version, slug: found.slug, amount: String(found.amount) };
    },
    async subscription(id) {
      const found = row('subscriptions', id);
      if (found === null) return null;
      const { version, status, paidAmount, createdAt, wakeAt } = found;
      return {
        ...{ version, status, paidAmount: String(paidAmount) },
        ...{ createdAt: createdAt.getTime(), wakeAt: ms(wakeAt) },
      };
    },
    async transfer(id) {
      const found = row('transfers', id);
      return (
        found && { state: found.state, amount: String(found.amount), periodStart: ms(found.periodStart) }
      );
    },
    async event(id) {
      const found = row('events', id);
      return found && { sequence: found.sequence, body: found.body };
    },
    async delivery(id) {
      const found = row('deliveries', id);
      if (found === null) return null;
      const { state, attempts, nextAttemptAt } = found;
      return { state, attempts, nextAttemptAt: ms(nextAttemptAt) };
    },
  };
}
