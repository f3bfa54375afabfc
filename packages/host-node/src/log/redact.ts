/** Shapes of secrets this service hands out: API keys and webhook signing secrets. */
const SHAPES = [
  { pattern: /SUB_[0-9A-Za-z]{8,}/g, replacement: 'SUB_[redacted]' },
  { pattern: /whsec_[A-Za-z0-9+/=]+/g, replacement: 'whsec_[redacted]' },
];

/**
 * Takes secrets out of a line just before it is written (invariants#no-secret-leaks): whatever has the shape of one, and every text given.
 * Doing it on the written line covers messages, stacks and nested facts alike.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const known = secrets.filter((secret) => secret !== '');
  return (line) => {
    const shaped = SHAPES.reduce(
      (text, { pattern, replacement }) => text.replace(pattern, replacement),
      line,
    );
    return known.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), shaped);
  };
}
