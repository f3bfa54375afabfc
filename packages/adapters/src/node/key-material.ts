/** Forms of keys, whole or in part. */
const FORMS = [
  // A list of bytes, or any JSON.
  /^\s*[[{"]/,
  /(\d+\s*,\s*){4}/,
  // A long run without separators, as in base58 and hexadecimal.
  /[A-Za-z0-9]{32}/,
  // Base64 and base64url: slashes, but no dot.
  /^[A-Za-z0-9+/_=\s-]{40,}$/,
];

/**
 * Whether a text given as a path may be a key, so that no message may show it. A mistake costs only the path
 * in a message.
 */
export function mayBeKey(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** Whether a text is the content of a key file, or a key in base58. */
export function isKeyContent(text: string): boolean {
  return /^\s*\[/.test(text) || /^\s*[1-9A-HJ-NP-Za-km-z]{80,90}\s*$/.test(text);
}
