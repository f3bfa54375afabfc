import type { ProjectBilling } from '@subrail/core';
import type { EventWire } from '@subrail/core/schemas';
import type { Manager } from '@subrail/core/client';
import * as z from 'zod';
import { formatAmount } from '../../demo/format-amount.js';

/** Reads the events since the last call, oldest first. */
export type NewEvents = () => Promise<readonly EventWire[]>;

/** Follows the events of every project from now on. */
export async function followEvents(manager: Manager): Promise<NewEvents> {
  const newest = new Map<string, string>();
  const read = async () => {
    const all: EventWire[] = [];
    for (const { id } of await manager.projects.list()) {
      const events = await eventsSince(manager.project(id), newest.get(id));
      const [last] = events;
      if (last !== undefined) newest.set(id, last.id);
      all.push(...events.reverse());
    }
    return all.sort((one, other) => one.created_at.localeCompare(other.created_at));
  };
  for (const { id } of await manager.projects.list()) {
    const [last] = (await manager.project(id).events.list({ limit: 1 })).data;
    if (last !== undefined) newest.set(id, last.id);
  }
  return read;
}

/** The events of a project after an event, newest first. */
async function eventsSince({ events }: ProjectBilling, seen: string | undefined): Promise<EventWire[]> {
  const newer: EventWire[] = [];
  for (;;) {
    const last = newer.at(-1);
    const { data, has_more } = await events.list({
      limit: 100,
      ...(last === undefined ? {} : { starting_after: last.id }),
    });
    const end = data.findIndex(({ id }) => id === seen);
    newer.push(...(end === -1 ? data : data.slice(0, end)));
    if (end !== -1 || !has_more) return newer;
  }
}

export interface TokenNames {
  readonly decimals: number;
  readonly symbol: string | null;
}

/** The tokens of every published plan, by mint. */
export async function tokensOf(manager: Manager): Promise<ReadonlyMap<string, TokenNames>> {
  const tokens = new Map<string, TokenNames>();
  for (const { id } of await manager.projects.list()) {
    const { plans } = await manager.project(id).plans.list();
    for (const { mint, decimals, symbol } of plans) tokens.set(mint, { decimals, symbol });
  }
  return tokens;
}

/** An event in a line: date, subscription, name, amount. */
export function eventLine(event: EventWire, tokens: ReadonlyMap<string, TokenNames>): string {
  const time = event.created_at.slice(0, 19).replace('T', ' ');
  const name = event.type.replace('subscription.', '').padEnd(16);
  return [time, event.data.id, name, detailsOf(event, tokens)].join('  ').trimEnd();
}

/** The shown part of an event's detail. */
const Detail = z.object({
  first_payment: z.object({ amount: z.string(), mint: z.string() }).optional(),
  amount: z.string().optional(),
  mint: z.string().optional(),
  reason: z.string().optional(),
  next_retry_at: z.string().nullish(),
});

function detailsOf({ detail }: EventWire, tokens: ReadonlyMap<string, TokenNames>): string {
  const { first_payment, reason, next_retry_at, ...own } = Detail.parse(detail);
  const { amount, mint } = first_payment ?? own;
  return [
    ...(amount === undefined || mint === undefined ? [] : [shown(amount, mint, tokens)]),
    ...(reason === undefined ? [] : [reason]),
    ...(next_retry_at == null ? [] : [`next retry ${next_retry_at.slice(0, 10)}`]),
  ].join(', ');
}

function shown(amount: string, mint: string, tokens: ReadonlyMap<string, TokenNames>): string {
  const token = tokens.get(mint);
  if (token === undefined) return `${amount} of ${mint}`;
  return formatAmount(BigInt(amount), { decimals: token.decimals, symbol: token.symbol ?? mint });
}
