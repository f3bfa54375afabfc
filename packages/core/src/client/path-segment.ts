/** A value as a segment of a path. Throws for one that no path can carry: a URL would drop it and name another resource. */
export function pathSegment(name: string, value: unknown): string {
  const text = String(value);
  if (/^\.{0,2}$/.test(text))
    throw new TypeError(`${name} must be a text other than "", "." and ".."; it is "${text}".`);
  return encodeURIComponent(text);
}
