interface Remembered<Key> {
  readonly size: number;
  keys(): Iterable<Key>;
  delete(key: Key): boolean;
}

/** Bounds a Map or Set: forgets the oldest key beyond `most`. Called after each new key. */
export function forgetOldest<Key>(remembered: Remembered<Key>, most: number): void {
  if (remembered.size <= most) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    return;
  }
}
