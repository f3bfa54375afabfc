/** The formats of secrets that this service issues: API keys, management keys and webhook signing secrets. */
const FORMATS = [
  { pattern: /(SUBM?_)[0-9A-Za-z]{8,}/g, replacement: '$1[redacted]' },
  { pattern: /whsec_[A-Za-z0-9+/=]+/g, replacement: 'whsec_[redacted]' },
];

/**
 * Removes secrets from a line just before it is written: the given texts, and whatever has the format of a
 * secret. Working on the finished line covers messages, stacks and nested fields
 * (invariants#no-secret-leaks).
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const texts = secrets.filter((secret) => secret !== '');
  return (line) => {
    const withoutIssued = FORMATS.reduce(
      (text, { pattern, replacement }) => text.replace(pattern, replacement),
      line,
    );
    return texts.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), withoutIssued);
  };
}
