import type { Examination } from '@subrail/core';
import type { Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { whole } from '../option.js';
import { PAGE_OPTIONS } from './paging.js';

/** `subrail doctor`: its exit code is 1 when it finds something. */
export function addDoctorCommand(root: Group): void {
  addManaged(root, {
    usage: 'doctor',
    about:
      'Look for what should be impossible in what is stored of a project and on chain, and say what to do. It changes nothing. It examines everything, or with --limit one part of the subscriptions.',
    example: 'subrail doctor',
    operations: ['doctor.examine'],
    options: { ...PAGE_OPTIONS, limit: whole('count', 'how many to examine, 1 to 100; all without it') },
    async run({ project, options: { limit, starting_after } }) {
      const { doctor } = await project();
      let all = await doctor.examine({ limit, starting_after });
      while (all.next !== null && limit === undefined) {
        const part = await doctor.examine({ starting_after: all.next });
        all = {
          examined: all.examined + part.examined,
          findings: [...all.findings, ...part.findings],
          notes: [...all.notes, ...part.notes],
          not_compared: all.not_compared + part.not_compared,
          next: part.next,
        };
      }
      return all;
    },
    shown: showExamination,
    exitCode: ({ findings }) => (findings.length === 0 ? 0 : 1),
  });
}

function showExamination({ examined, findings, notes, not_compared, next }: Examination): string {
  const found = findings.length === 0 ? 'Nothing was found.\n' : findings.map(showFinding).join('');
  const noted =
    notes.length === 0 ? '' : `Worth a look, and perhaps meant:\n\n${notes.map(showFinding).join('')}`;
  const apart =
    not_compared === 0
      ? ''
      : `${not_compared} of ${examined} subscriptions could not be compared with the chain, because it did not answer. Run this again.\n`;
  const more = next === null ? '' : `There is more to examine: add --starting-after ${next}\n`;
  return found + noted + apart + more;
}

const showFinding = ({ check, rows, what, remedy }: Examination['findings'][number]) =>
  `${check}\n  ${what}\n  Rows: ${rows.join(', ')}\n  Do: ${remedy}\n\n`;
