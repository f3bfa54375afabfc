/** Text that a key file or a wallet's export may be, or a part of it. */
const FORMS = [
  // A list of bytes, and JSON of any kind.
  /^\s*[[{"]/,
  /(\d+\s*,\s*){4}/,
  // A long run without a separator of paths, as in base58 and in hexadecimal digits.
  /[A-Za-z0-9]{32}/,
  // Base64 and base64url, which may contain slashes, but no dot.
  /^[A-Za-z0-9+/_=\s-]{40,}$/,
];

/**
 * Whether a text that should be a path may be a key, or a part of one. Such a text must not appear in a message. A path
 * that is taken for a key costs only the path in the message.
 */
export function mayBeKey(text: string): boolean {
  return FORMS.some((form) => form.test(text));
}

/** Whether a text is the content of a Solana key file, or a key in base58, rather than the path of a file. */
export function isKeyContent(text: string): boolean {
  return /^\s*\[/.test(text) || /^\s*[1-9A-HJ-NP-Za-km-z]{80,90}\s*$/.test(text);
}
