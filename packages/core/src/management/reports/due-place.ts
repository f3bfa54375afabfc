import { unknownCursor } from '../../operations/pages.js';
import type { DuePlace } from '../../ports/index.js';
import type { SubscriptionId } from '../../records/index.js';

/** The id of an item that says its place, so that a page can start after one that has been made since. */
export function duePlaceId({ at, id }: DuePlace): string {
  return `${at.getTime()}_${id}`;
}

/** The place that an id says. Refuses a text that is none. */
export function duePlaceOf(itemId: string): DuePlace {
  const [, at, id] = /^(\d{1,15})_(sub_[A-Za-z0-9]+)$/.exec(itemId) ?? [];
  if (at === undefined || id === undefined) throw unknownCursor();
  return { at: new Date(Number(at)), id: id as SubscriptionId };
}
