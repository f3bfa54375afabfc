import { z } from 'zod';

import { isAddress } from './base58.js';

/** Whether a text has a control character (C0, DEL, C1) or half a surrogate pair, which no storage keeps as it came. */
function hasControl(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text);
}

const within = (min: number, max: number) => (text: string) => text.length >= min && text.length <= max;

/** A wallet's address as given: base58 of 32 bytes. */
export const walletInput = z.string({ error: 'must be a wallet address in base58' }).refine(isAddress, {
  error: 'must be a wallet address: 32 to 44 base58 characters that stand for 32 bytes',
});

/** The integrator's own customer id as given; trimmed (D1.7). */
export const externalIdInput = z
  .string({ error: 'must be a string' })
  .refine((text) => !hasControl(text), { error: 'must not contain control characters' })
  .trim()
  .refine(within(1, 255), { error: 'must be 1 to 255 characters' });

/** An email address as given; trimmed and lowercased, never verified (D1.7). */
export const emailInput = z
  .string({ error: 'must be a string' })
  .trim()
  .toLowerCase()
  .refine(within(1, 254), { error: 'must be 1 to 254 characters' })
  .pipe(z.email({ error: 'must be an email address' }));

/**
 * A slug someone asks for. Any text that could be looked up is let through, so that a wrong one is told as
 * `plan_not_found` and not as a malformed request.
 */
export const slugInput = z
  .string({ error: 'must be the slug of a plan' })
  .refine((text) => within(1, 64)(text) && !hasControl(text), {
    error: 'must be the slug of a plan: 1 to 64 characters',
  });

/** An id as given: 1 to 64 of the letters ids are made of (D22). `what` ends the sentence that refuses anything else. */
function idText(what: string) {
  return z.string({ error: `must be ${what}` }).regex(/^[A-Za-z0-9_-]{1,64}$/, { error: `must be ${what}` });
}

/** D22: the id of the last item of the previous page. */
export const cursorInput = idText('the id of the last item of the previous page');

/** The id of a subscription someone asks about. */
export const subscriptionIdInput = idText('the id of a subscription');

/** A page's size: 1 to 100. A query carries it as text, a call in process as a number. */
export function limitInput(whenAbsent: number) {
  return z
    .union(
      [
        z.int().min(1).max(100),
        z
          .string()
          .regex(/^([1-9][0-9]?|100)$/)
          .transform(Number),
      ],
      { error: 'must be an integer from 1 to 100' },
    )
    .default(whenAbsent);
}

/** Access, `attempts`: `true`, `1`, `false` or `0` in a query, a boolean in process. False when absent. */
export const switchInput = z
  .union(
    [z.boolean(), z.enum(['true', '1', 'false', '0']).transform((text) => text === 'true' || text === '1')],
    {
      error: 'must be true, 1, false or 0',
    },
  )
  .default(false);
