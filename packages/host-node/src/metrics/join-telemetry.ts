import type { Telemetry } from '@subrail/core/ports';

/** Gives everything to each of them; null when there are none, so that nothing is spent on measuring. */
export function joinTelemetry(all: readonly (Telemetry | undefined)[]): Telemetry | null {
  const given = all.filter((one) => one !== undefined);
  return given.length === 0 ? null : given.reduce(both);
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
