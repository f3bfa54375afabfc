import type { Examination } from '@subrail/core/schemas';
import type { Group } from '../command-tree.js';
import { addManaged, PAGE_OPTIONS } from '../managed.js';
import { NO_HOST } from '../errors.js';
import { whole } from '../option.js';

/** Subscriptions between two lines of progress. */
const SUBSCRIPTIONS_OF_A_LINE = 1_000;

/** The most rows named of equal findings. */
const NAMED_ROWS = 20;

/** `subrail doctor`: exit code 1 for a finding, and when something could not be examined. */
export function addDoctorCommand(root: Group): void {
  addManaged(root, {
    usage: 'doctor',
    about:
      'Look for what should be impossible in what is stored of a project and on chain, and say what to do; after a restore also who paid since. It changes nothing. It examines everything, or with --limit one part of the subscriptions. The exit code is 1 when something was found, or could not be compared with the chain.',
    example: 'subrail doctor',
    operations: ['doctor.examine'],
    options: { ...PAGE_OPTIONS, limit: whole('count', 'how many to examine, 1 to 100; all without it') },
    async run({ project, progress, options: { limit, starting_after } }) {
      const { doctor } = await project();
      let all = await doctor.examine({ limit, starting_after });
      while (all.next !== null && limit === undefined) {
        if (all.examined % SUBSCRIPTIONS_OF_A_LINE === 0) progress(`Examined ${all.examined} subscriptions.`);
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
    shown: (examination, { opened }) =>
      opened.hasChain ? showExamination(examination, NO_ANSWER) : showWithoutChain(examination),
    exitCode: ({ findings, not_compared }) => (findings.length + not_compared === 0 ? 0 : 1),
  });
}

const NO_ANSWER = ', because it did not answer. Run this again.';

/** On a local chain without its host nothing was compared, and no RPC server lists its accounts. */
function showWithoutChain(examination: Examination): string {
  const notes = examination.notes.filter(({ check }) => check !== 'subscriptions_on_chain_can_be_listed');
  const unlisted = notes.length < examination.notes.length;
  return showExamination({ ...examination, notes }, `. ${NO_HOST}`, unlisted);
}

/** @param why why something was not compared with the chain, and what to do about it */
function showExamination(
  { examined, findings, notes, not_compared, next }: Examination,
  why: string,
  unlisted = false,
): string {
  const complete = not_compared === 0 && !unlisted;
  const nothing = complete ? 'Nothing was found.\n' : 'Nothing was found in what is stored.\n';
  const findingsText = findings.length === 0 ? nothing : showFindings(findings);
  const notesText = notes.length === 0 ? '' : `Worth a look, and perhaps meant:\n\n${showFindings(notes)}`;
  const what =
    not_compared === 0
      ? 'Nobody looked on the chain for subscriptions that are not on record'
      : `${not_compared} of ${examined} subscriptions could not be compared with the chain`;
  const apart = complete ? '' : `${what}${why}\n`;
  const more = next === null ? '' : `There is more to examine: add --starting-after ${next}\n`;
  return findingsText + notesText + apart + more;
}

type Finding = Examination['findings'][number];

/** Shows findings, with equal findings of different rows as one. */
function showFindings(findings: readonly Finding[]): string {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { check, what, remedy } = finding;
    const key = JSON.stringify([check, what, remedy]);
    alike.set(key, [...(alike.get(key) ?? []), finding]);
  }
  return [...alike.values()].map(showAlike).join('');
}

function showAlike(findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const { check, what, remedy } = first;
  const rows = findings.flatMap((one) => one.rows);
  const more = rows.length > NAMED_ROWS ? ` and ${rows.length - NAMED_ROWS} more, which --json names` : '';
  const times = findings.length === 1 ? '' : `, ${findings.length} times`;
  return `${check}${times}\n  ${what}\n  Rows: ${rows.slice(0, NAMED_ROWS).join(', ')}${more}\n  Do: ${remedy}\n\n`;
}
