const EXCERPT_CHARACTERS = 1_024;

/** The most bytes of an excerpt in UTF-8. */
export const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS;

/** The excerpt of an answer, decoded by its `Content-Type`. The service removes what no database stores. */
export function excerptOf(start: Uint8Array, contentType: string | null = null): string {
  return decoded(start, /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? '')?.[1]).slice(
    0,
    EXCERPT_CHARACTERS,
  );
}

/** Decodes UTF-8 without a known charset. */
function decoded(start: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(start);
  } catch {
    return new TextDecoder().decode(start);
  }
}
