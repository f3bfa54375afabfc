import type { Telemetry } from '../ports/index.js';

/** Measures nothing. */
export const NO_TELEMETRY: Telemetry = {
  span: (_, work) => work(ignore),
  late: ignore,
};

function ignore(): void {
  // Nothing is measured.
}
