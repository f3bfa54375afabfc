import { z } from 'zod';

import { decodeBase58, isAddress } from './base58.js';

/**
 * Whether a text has this many characters, counted as JSON Schema counts them: code points, so that an emoji is one where
 * JavaScript's `length` says two.
 */
export function within(min: number, max: number): (text: string) => boolean {
  return (text) => {
    // A code point takes one or two: most texts are told by their length alone, and a huge one is not walked through.
    if (text.length > 2 * max) return false;
    if (text.length <= max && text.length >= 2 * min - 1) return true;
    const length = Array.from(text).length;
    return length >= min && length <= max;
  };
}

/** Control characters (C0, DEL, C1) and halves of surrogate pairs, which no storage keeps as they came. */
const UNKEPT = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff';
/** What is trimmed of a text that may not have control characters. */
const SPACE = '[ \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*';

const CONTROL = new RegExp(`[${UNKEPT}]`, 'u');

/** Whether a text has a character that no storage keeps. */
export function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

const BASE58 = '^[1-9A-HJ-NP-Za-km-z]+$';

/*
 * `meta` says in JSON Schema what a function checks. It never refuses what is taken; what it cannot say, such as how many bytes
 * base58 stands for or a length after trimming, is in the description (contract/keywords.test).
 */

/** A wallet's address as given: base58 of 32 bytes. */
export const walletInput = z
  .string({ error: 'must be a wallet address in base58' })
  .refine(isAddress, {
    error: 'must be a wallet address: 32 to 44 base58 characters that stand for 32 bytes',
  })
  .meta({ minLength: 32, maxLength: 44, pattern: BASE58 });

/** A transaction's signature as given: base58 of 64 bytes. */
export const signatureInput = z
  .string({ error: 'must be a transaction signature in base58' })
  .refine((signature) => decodeBase58(signature)?.length === 64, {
    error: 'must be a transaction signature: base58 of 64 bytes, 86 to 88 characters',
  })
  .meta({ minLength: 64, maxLength: 88, pattern: BASE58 });

/** The integrator's own customer id as given; trimmed (requests#customer-identifier-format). */
export const externalIdInput = z
  .string({ error: 'must be a string' })
  .refine((text) => !hasControl(text), { error: 'must not contain control characters' })
  .trim()
  .refine(within(1, 255), { error: 'must be 1 to 255 characters' })
  .meta({ pattern: `^${SPACE}[^\\s${UNKEPT}]([^${UNKEPT}]{0,253}[^\\s${UNKEPT}])?${SPACE}$` });

const EMAIL = z.regexes.email.source.replace(/^\^|\$$/g, '').replaceAll('.*', '\\S*');

/** An email address as given; trimmed and lowercased, never verified (requests#customer-identifier-format). */
export const emailInput = z
  .string({ error: 'must be a string' })
  .trim()
  .refine(within(1, 254), { error: 'must be 1 to 254 characters' })
  // Before it is lowercased, which makes ASCII of a letter that is none.
  .pipe(z.email({ error: 'must be an email address' }).toLowerCase())
  .meta({ pattern: `^\\s*(?=\\S{1,254}\\s*$)${EMAIL}\\s*$` });

/**
 * A slug someone asks for. Any text that could be looked up is let through, so that a wrong one is told as
 * `plan_not_found` and not as a malformed request.
 */
export const slugInput = z
  .string({ error: 'must be the slug of a plan' })
  .refine((text) => within(1, 64)(text) && !hasControl(text), {
    error: 'must be the slug of a plan: 1 to 64 characters',
  })
  .meta({ minLength: 1, maxLength: 64, pattern: `^[^${UNKEPT}]*$` });

/** An id as given: 1 to 64 of the letters ids are made of (lists#keyset-pagination). `what` ends the sentence that refuses anything else. */
function idText(what: string) {
  return z.string({ error: `must be ${what}` }).regex(/^[A-Za-z0-9_-]{1,64}$/, { error: `must be ${what}` });
}

/** lists#keyset-pagination: the id of the last item of the previous page. */
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
export const booleanInput = z
  .union(
    [z.boolean(), z.enum(['true', '1', 'false', '0']).transform((text) => text === 'true' || text === '1')],
    {
      error: 'must be true, 1, false or 0',
    },
  )
  .default(false);
