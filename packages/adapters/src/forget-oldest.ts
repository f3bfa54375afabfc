/** What remembers by key, in the order in which its keys came. */
interface Remembered<Key> {
  readonly size: number;
  keys(): Iterable<Key>;
  delete(key: Key): boolean;
}

/** Bounds what is remembered: the oldest key is forgotten when there are more than `most`. Called after each new key. */
export function forgetOldest<Key>(remembered: Remembered<Key>, most: number): void {
  if (remembered.size <= most) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    return;
  }
}
