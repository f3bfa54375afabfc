import type { Telemetry } from '@subrail/core/ports';

/** Combines telemetry sinks into one. Returns null for none, which turns measuring off. */
export function joinTelemetry(all: readonly (Telemetry | undefined)[]): Telemetry | null {
  const sinks = all.filter((one) => one !== undefined);
  return sinks.length === 0 ? null : sinks.reduce(both);
}

function both(one: Telemetry, other: Telemetry): Telemetry {
  return {
    span: (span, work) =>
      one.span(span, (endOne) =>
        other.span(span, (endOther) =>
          work((how) => {
            endOne(how);
            endOther(how);
          }),
        ),
      ),
    late(work, seconds) {
      one.late(work, seconds);
      other.late(work, seconds);
    },
  };
}
