import type { Examination, Overview, Schedule, SubscriptionSearchPage, UpcomingPage } from '@subrail/core';
import { expect, test } from 'vitest';
import { runHere } from './tests/fake-terminal.js';

/** What a command prints to a person for an answer of a host. */
async function printed(args: readonly string[], answer: object): Promise<string> {
  const place = ['--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`, '--project', 'proj_one'];
  const { stdout, stderr } = await runHere([...args, ...place], {
    folder: '/',
    fetch: () => Promise.resolve(Response.json(answer)),
  });
  expect(stderr).toBe('');
  return stdout;
}

const UNREADABLE = { unreadable: ['sub_damaged', 'sub_newer'] };
const NO_PAGE = { data: [], has_more: false, next: null, ...UNREADABLE };
const ANSWERS: readonly [args: readonly string[], answer: object][] = [
  [['subscription', 'search'], NO_PAGE satisfies SubscriptionSearchPage],
  [['upcoming'], NO_PAGE satisfies UpcomingPage],
  [
    ['upcoming', '--by-day'],
    { from: '2026-10-02', to: '2026-10-31', data: [], ...UNREADABLE } satisfies Schedule,
  ],
  [
    ['overview'],
    {
      ...{ since: '2026-10-02T08:30:00.000Z', until: '2026-11-01T08:30:00.000Z', tokens: [], plans: [] },
      ...{ new: 0, returned: 0, lost: 0, lost_causes: [], failure_causes: [], unpriced: 0, ...UNREADABLE },
    } satisfies Overview,
  ],
];

// management#unreadable-records-in-reports
test.each(ANSWERS)('%j names what it leaves out', async (args, answer) => {
  expect(await printed(args, answer)).toMatch(
    /\nLeft out, because they cannot be read: sub_damaged, sub_newer\. "subrail doctor" says what to do\.\n$/,
  );
});

// management#doctor
test('the doctor says what it did not compare with the chain', async () => {
  const examination: Examination = { examined: 7, findings: [], notes: [], not_compared: 3, next: null };
  expect(await printed(['doctor'], examination)).toBe(
    'Nothing was found.\n3 of 7 subscriptions could not be compared with the chain, because it did not answer. Run this again.\n',
  );
});
