/** A terminal and the package manager in it may both pass on one press of Ctrl-C. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves when the process is asked to stop, by SIGINT or SIGTERM. A second signal after that ends the process at once:
 * whatever is under way is taken up at the next start.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const hear = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > SAME_PRESS_MS) {
        process.exit(1);
      }
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
