/** A press of Ctrl-C can arrive twice: from the terminal, and from the package manager. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves when the process is asked to stop, by SIGINT or SIGTERM. A second signal exits at once, which is
 * safe: the next start continues unfinished work.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === null) {
        firstAt = performance.now();
        resolve(signal);
      } else if (performance.now() - firstAt > SAME_PRESS_MS) {
        process.exit(1);
      }
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
