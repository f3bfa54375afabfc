/** deliveries#response-excerpt: what is kept of an endpoint's answer: its first 1,024 characters, controls and broken ones stripped. */
export function excerpt(text: string): string {
  // Cut generously before cleaning, so that an enormous answer costs no more than a long one.
  const clean = text.slice(0, 4_096).replace(/[\p{Cc}\p{Cs}]/gu, '');
  return clean.slice(0, 1_024).replace(/[\uD800-\uDBFF]$/, '');
}
