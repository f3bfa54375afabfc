/** Remembers the latest answers of a computation by key, at most `capacity` of them; the oldest make room. */
export function boundedCache<T>(capacity: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (key, compute) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = compute();
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    if (kept.size > capacity) {
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    }
    return answer;
  };
}
