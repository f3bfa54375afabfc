const DAY_MS = 86_400_000;

/** The first instant of the day in UTC. */
export function dayOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
}

/** The instant so many days later, or earlier. A day in UTC always has 24 hours. */
export function plusDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/** How many days an instant is before another. */
export function daysUntil(instant: Date, later: Date): number {
  return Math.round((later.getTime() - instant.getTime()) / DAY_MS);
}
