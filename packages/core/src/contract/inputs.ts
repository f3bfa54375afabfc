import * as z from 'zod';

import { decodeBase58, isAddress } from './base58.js';

/**
 * Checks that a text has `min` to `max` code points, as JSON Schema counts: an emoji is one, where
 * JavaScript's `length` says two.
 */
export function within(min: number, max: number): (text: string) => boolean {
  return (text) => {
    // A code point takes one or two units, so `length` decides for most texts, and huge ones are not read.
    if (text.length > 2 * max) return false;
    if (text.length <= max && text.length >= 2 * min - 1) return true;
    const length = Array.from(text).length;
    return length >= min && length <= max;
  };
}

/** Control characters (C0, DEL, C1) and halves of surrogate pairs: some databases would change them. */
const UNSTORABLE = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff';
/** The white space that is trimmed from the ends of a text, without the kinds that are control characters. */
const SPACE = '[ \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*';

const CONTROL = new RegExp(`[${UNSTORABLE}]`, 'u');

function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * Control, format and bidirectional characters, separators of lines and paragraphs, and halves of surrogate
 * pairs, which could make a text look different from what it says.
 */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Whether a text can be shown on one line of a text that a wallet signs (plans#safe-one-line-texts). */
export function isSafeLine(text: string): boolean {
  return !DECEPTIVE.test(text);
}

/** Makes the schema of a line for people, which is printed in terms, which a wallet signs, and in logs. */
export function lineInput(min: number, max: number) {
  return z
    .string({ error: 'must be a string' })
    .trim()
    .refine(within(min, max), { error: `must be ${min} to ${max} characters` })
    .refine(isSafeLine, { error: 'must not contain control, format or bidirectional characters' });
}

const BASE58 = '^[1-9A-HJ-NP-Za-km-z]+$';

/*
 * `meta` states the check of a function in JSON Schema, and never refuses what the function accepts. The
 * description has the rest, such as the number of bytes in base58 or a length after trimming.
 */

/** The address of a wallet in a request: base58 of 32 bytes. */
export const walletInput = addressInput('a wallet address');

/** The address of a token's mint in a request: base58 of 32 bytes. */
export const mintInput = addressInput('a mint address');

function addressInput(what: string) {
  return z
    .string({ error: `must be ${what} in base58` })
    .refine(isAddress, { error: `must be ${what}: 32 to 44 base58 characters that decode to 32 bytes` })
    .meta({ minLength: 32, maxLength: 44, pattern: BASE58 });
}

/** A transaction's signature in a request: base58 of 64 bytes. */
export const signatureInput = z
  .string({ error: 'must be a transaction signature in base58' })
  .refine((signature) => decodeBase58(signature)?.length === 64, {
    error: 'must be a transaction signature: base58 of 64 bytes, 86 to 88 characters',
  })
  .meta({ minLength: 64, maxLength: 88, pattern: BASE58 });

/** The integrator's own id of a customer; trimmed. */
export const externalIdInput = z
  .string({ error: 'must be a string' })
  .refine((text) => !hasControl(text), { error: 'must not contain control characters' })
  .trim()
  .refine(within(1, 255), { error: 'must be 1 to 255 characters' })
  .meta({ pattern: `^${SPACE}[^\\s${UNSTORABLE}]([^${UNSTORABLE}]{0,253}[^\\s${UNSTORABLE}])?${SPACE}$` });

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

const EMAIL = z.regexes.email.source.replace(/^\^|\$$/g, '').replaceAll('.*', '\\S*');

/** An email address in a request; trimmed and lowercased, never verified. */
export const emailInput = z
  .string({ error: 'must be a string' })
  .trim()
  .refine(within(1, 254), { error: 'must be 1 to 254 characters' })
  // Checked before it is lowercased, because that turns the Kelvin sign into an ASCII letter.
  .pipe(
    z
      .email({
        error: ({ input }) =>
          isAscii(String(input))
            ? 'must be an email address'
            : 'must be an email address in ASCII: write a domain with other letters in punycode, as in ada@xn--bcher-kva.example',
      })
      .toLowerCase(),
  )
  .meta({ pattern: `^\\s*(?=\\S{1,254}\\s*$)${EMAIL}\\s*$` });

/** The slug of a plan in a request. Any text is accepted, so a wrong one is refused with `plan_not_found`. */
export const slugInput = z
  .string({ error: 'must be the slug of a plan' })
  .refine((text) => within(1, 64)(text) && !hasControl(text), {
    error: 'must be the slug of a plan: 1 to 64 characters',
  })
  .meta({ minLength: 1, maxLength: 64, pattern: `^[^${UNSTORABLE}]*$` });

/**
 * Makes the schema of an id: 1 to 64 of the characters of ids. `what` completes the refusal of any other
 * text.
 */
function idText(what: string) {
  return z.string({ error: `must be ${what}` }).regex(/^[A-Za-z0-9_-]{1,64}$/, { error: `must be ${what}` });
}

/** The cursor of a list: the id of the last item of the previous page. */
export const cursorInput = idText('the id of the last item of the previous page').describe(
  'The id of the last item of the previous page.',
);

/** The cursor of a list whose pages name the next one. */
export const nextInput = cursorInput.describe('The `next` of the previous page.');

/** The id of a subscription in a query. */
export const subscriptionIdInput = idText('the id of a subscription');

/** The id of a subscription in a search, or the address of its account: base58, which has no underscore. */
export const subscriptionIdOrAddressInput = idText('the id of a subscription, or the address of its account');

/** The id of an event in a request. */
export const eventIdInput = idText('the id of an event');

/** The id of an endpoint in a request. */
export const endpointIdInput = idText('the id of an endpoint');

/** The size of a page: 1 to 100. A query carries it as text, a call in process as a number. */
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
    .default(whenAbsent)
    .describe('How many items a page has at most, 1 to 100.');
}

/** The hours for which a replaced key or secret works too. */
export const overlapInput = z
  .number({ error: 'must be a number of hours' })
  .min(0, { error: 'must be 0 to 24' })
  .max(24, { error: 'must be 0 to 24' })
  .default(0);

/** A boolean: `true`, `1`, `false` or `0` in a query, a boolean in process. */
export const booleanOrTextInput = z.union(
  [z.boolean(), z.enum(['true', '1', 'false', '0']).transform((text) => text === 'true' || text === '1')],
  { error: 'must be true, 1, false or 0' },
);

/** A boolean that is false when it is absent. */
export const booleanInput = booleanOrTextInput.default(false);

/** Makes the schema of an address on one line, with one of these protocols. */
function urlInput(protocol: RegExp, error: string) {
  return lineInput(1, 512).refine((text) => URL.canParse(text) && protocol.test(new URL(text).protocol), {
    error,
  });
}

/** The address of a page or a picture. */
export const httpsUrl = urlInput(/^https:$/, 'must be an https address');

/** The address of the host, as the terms state it. */
export const PublicUrl = urlInput(/^https?:$/, 'must be an http or https address');

/** The name of the service, as the terms state it. */
export const ServiceName = lineInput(1, 64);
