const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The delay of a `Retry-After` header in seconds from `now`; null when it is absent or malformed. */
export function retryAfterSeconds(header: string | null | undefined, now: Date): number | null {
  if (header === undefined || header === null) return null;
  if (/^[0-9]{1,9}$/.test(header)) return Number(header);
  if (!HTTP_DATE.test(header)) return null;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now.getTime()) / 1_000));
}
