import type { Examination } from '@subrail/core';
import type { Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { PAGE_OPTIONS } from './paging.js';

/** `subrail doctor`: its exit code is 1 when it finds something. */
export function addDoctorCommand(root: Group): void {
  addManaged(root, {
    usage: 'doctor',
    about:
      'Look for what should be impossible in what is stored of a project and on chain, and say what to do. It changes nothing. It examines everything, or with --limit one part of the subscriptions.',
    example: 'subrail doctor',
    operations: ['doctor.examine'],
    options: PAGE_OPTIONS,
    async run({ project, options: { limit, starting_after } }) {
      const { doctor } = await project();
      let whole = await doctor.examine({ limit, starting_after });
      while (whole.next !== null && limit === undefined) {
        const part = await doctor.examine({ starting_after: whole.next });
        whole = {
          examined: whole.examined + part.examined,
          findings: [...whole.findings, ...part.findings],
          not_compared: whole.not_compared + part.not_compared,
          next: part.next,
        };
      }
      return whole;
    },
    shown: showExamination,
    exitCode: ({ findings }) => (findings.length === 0 ? 0 : 1),
  });
}

function showExamination({ findings, next }: Examination): string {
  const found = findings.map(
    ({ check, rows, what, remedy }) => `${check}\n  ${what}\n  Rows: ${rows.join(', ')}\n  Do: ${remedy}\n\n`,
  );
  const more = next === null ? '' : `There is more to examine: add --starting-after ${next}\n`;
  return (found.length === 0 ? 'Nothing was found.\n' : found.join('')) + more;
}
