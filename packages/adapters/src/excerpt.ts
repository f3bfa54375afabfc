const EXCERPT_CHARACTERS = 1_024;

/** The most bytes that an excerpt takes in UTF-8. */
export const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS;

/**
 * The excerpt of an answer that begins with these bytes, in the encoding that its `Content-Type` names. The service removes what no
 * database stores.
 */
export function excerptOf(start: Uint8Array, contentType: string | null = null): string {
  return decoded(start, /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? '')?.[1]).slice(
    0,
    EXCERPT_CHARACTERS,
  );
}

/** Decodes from UTF-8 when no charset is named, or an unknown one. */
function decoded(start: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(start);
  } catch {
    return new TextDecoder().decode(start);
  }
}
