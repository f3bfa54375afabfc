import type { Part } from '../tasks/parts.mjs';

/** A part that runs a script of the shell. */
export const part = (counts: Part['counts'], script: string, name = 'part'): Part => ({
  name,
  counts,
  command: ['sh', '-c', script],
});

/** A script that writes the report of a test run. */
export const writesReport = (report: object) => `echo '${JSON.stringify(report)}' > "$TEST_REPORT"; `;
