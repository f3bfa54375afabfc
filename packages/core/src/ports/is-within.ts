/**
 * Whether less than `ms` milliseconds have passed since an instant. A clock set back to before it ends the
 * time, so nothing waits for as long as the clock had been wrong (clocks#step-of-the-machines-clock).
 */
export function isWithin(since: Date, ms: number, now: Date): boolean {
  const passed = now.getTime() - since.getTime();
  return passed >= 0 && passed < ms;
}
