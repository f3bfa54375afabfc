import type {
  Examination,
  FailingPage,
  PaymentPage,
  Schedule,
  SubscriptionSearchPage,
  UpcomingPage,
} from '@subrail/core/schemas';
import { expect, test } from 'vitest';
import { runHere } from './tests/fake-terminal.js';

/** The text of a command for an answer of a host. */
async function printed(args: readonly string[], answer: object): Promise<string> {
  const place = ['--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`, '--project', 'proj_one'];
  const { stdout, stderr, code } = await runHere([...args, ...place], {
    folder: '/',
    fetch: () => Promise.resolve(Response.json(answer)),
  });
  expect(stderr).toBe('');
  exitCode = code;
  return stdout;
}
let exitCode: number;

const UNREADABLE = { unreadable: ['sub_damaged', 'sub_newer'] };
const NO_PAGE = { data: [], has_more: false, next: null, ...UNREADABLE };
const ANSWERS: readonly [args: readonly string[], answer: object][] = [
  [['subscription', 'search'], NO_PAGE satisfies SubscriptionSearchPage],
  [['upcoming'], NO_PAGE satisfies UpcomingPage],
  [['payment', 'list'], NO_PAGE satisfies PaymentPage],
  [['subscription', 'failing'], NO_PAGE satisfies FailingPage],
  [
    ['upcoming', '--by-day'],
    { from: '2026-10-02', to: '2026-10-31', data: [], ...UNREADABLE } satisfies Schedule,
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
    'Nothing was found in what is stored.\n3 of 7 subscriptions could not be compared with the chain, because it did not answer. Run this again.\n',
  );
  expect(exitCode).toBe(1);
  expect(await printed(['doctor'], { ...examination, not_compared: 0 })).toBe('Nothing was found.\n');
  expect(exitCode).toBe(0);
});

test('the doctor says once what it found of many rows, and names twenty of them', async () => {
  const finding = (row: number) => ({
    check: 'due',
    rows: [`sub_${row}`],
    what: 'It waits.',
    remedy: 'Look.',
  });
  const findings = [
    ...Array.from({ length: 28 }, (_, row) => finding(row)),
    { ...finding(99), what: 'Else.' },
  ];
  const rows = findings.slice(0, 20).map((one) => one.rows[0]);
  const examination = {
    examined: 29,
    findings,
    notes: [],
    not_compared: 0,
    next: null,
  } satisfies Examination;
  expect(await printed(['doctor'], examination)).toBe(
    `due, 28 times\n  It waits.\n  Rows: ${rows.join(', ')} and 8 more, which --json names\n  Do: Look.\n\n` +
      'due\n  Else.\n  Rows: sub_99\n  Do: Look.\n\n',
  );
  expect(exitCode).toBe(1);
});

test('the doctor says on the way how far it is, but not with --json', async () => {
  const place = ['--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`, '--project', 'proj_one'];
  const run = (...more: readonly string[]) => {
    let parts = 0;
    const answer = () => {
      parts += 1;
      const next = parts < 21 ? `sub_${parts}` : null;
      return { examined: 100, findings: [], notes: [], not_compared: 0, next } satisfies Examination;
    };
    const fetch = () => Promise.resolve(Response.json(answer()));
    return runHere(['doctor', ...more, ...place], { folder: '/', fetch });
  };
  expect((await run()).stderr).toBe('Examined 1000 subscriptions.\nExamined 2000 subscriptions.\n');
  expect((await run('--json')).stderr).toBe('');
});

test.each([
  ['a price for some of it', 1, '2.00'],
  ['no price for any of it', 2, '-'],
])('the overview has dollars for what was collected with %s: %s', async (_, unpriced, shown) => {
  const none = { count: 0, amount: '0' };
  const plan = {
    plan: 'pro',
    mint: 'mint',
    decimals: 0,
    failed: none,
    won_back: none,
    owed: none,
    collected: { count: 2, amount: '4', amount_usd: unpriced === 2 ? '0.00' : '2.00', unpriced },
    new: 0,
    returned: 0,
    lost: 0,
    active: 0,
    late: 0,
  };
  const overview = {
    since: '2026-10-02T08:30:00.000Z',
    until: '2026-11-01T08:30:00.000Z',
    tokens: [],
    plans: [plan],
    new: 0,
    returned: 0,
    lost: 0,
    lost_causes: [],
    failure_causes: [],
    unpriced,
    unreadable: [],
  };
  expect(await printed(['overview'], overview)).toMatch(
    new RegExp(`^pro +4 +${shown.replace('.', '\\.')} `, 'm'),
  );
});
