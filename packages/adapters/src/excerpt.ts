const EXCERPT_CHARACTERS = 1_024;

/** The most bytes that an excerpt takes in UTF-8. */
export const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS;

const decoder = new TextDecoder();

/**
 * The excerpt of an answer that begins with these bytes. A character of two code units that the cut would split is left out. One with
 * the code 0 is replaced as an unreadable byte is, because Postgres stores none, and a delivery that cannot be stored is sent again.
 */
export function excerptOf(start: Uint8Array): string {
  return decoder
    .decode(start)
    .slice(0, EXCERPT_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replaceAll('\0', '\uFFFD');
}
