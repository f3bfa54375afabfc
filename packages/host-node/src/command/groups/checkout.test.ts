import type { CheckoutWire, LinkList, NewSession } from '@subrail/core/schemas';
import { expect, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

const AT = '2026-10-02T08:30:00.000Z';

/** The answers of a host to commands, and what they sent to it. */
async function run(args: readonly string[], answer: object) {
  const sent: unknown[] = [];
  const place = ['--url', 'http://127.0.0.1:1', '--key', `SUBM_${'x'.repeat(43)}`, '--project', 'proj_one'];
  const outcome = await runHere([...args, ...place], {
    folder: '/',
    async fetch(request) {
      const body = await request.text();
      sent.push([
        request.method,
        new URL(request.url).pathname,
        body === '' ? null : (JSON.parse(body) as unknown),
      ]);
      return Response.json(answer);
    },
  });
  return { ...outcome, sent };
}

const SESSION: NewSession = { id: 'chk_1', url: 'https://pay.example/checkout#chs_1', expires_at: AT };

// checkout-sessions#time-of-a-session
test('a checkout offers the plans that are typed, for the time that is typed', async () => {
  const typed = ['--plan', 'pro,team', '--email', 'ada@example.org', '--ask-email', '--expires-in', '2h'];
  const { stdout, sent } = await run(['checkout', 'create', ...typed], SESSION);
  expect(sent).toEqual([
    [
      'POST',
      '/manage/v1/projects/proj_one/checkout/v1/sessions',
      { plans: ['pro', 'team'], email: 'ada@example.org', ask_email: true, expires_in: 7_200 },
    ],
  ]);
  expect(stdout).toBe(
    `id          chk_1\nurl         https://pay.example/checkout#chs_1\nexpires_at  ${AT}\n`,
  );
});

test('a checkout is shown with the subscription that came of it', async () => {
  const subscription = { id: 'sub_1', status: 'active' } as CheckoutWire['subscription'];
  const checkout: CheckoutWire = {
    ...{ id: 'chk_1', state: 'complete', plans: ['pro'], external_id: 'customer-42', email: null },
    ...{ subscription, link: null, created_at: AT, expires_at: AT },
  };
  const shown = await run(['checkout', 'show', 'chk_1'], checkout);
  expect(shown.stdout).toMatch(/^state +complete$/m);
  expect(shown.stdout).toMatch(/^subscription +sub_1 \(active\)$/m);
  const open = await run(['checkout', 'show', 'chk_1'], { ...checkout, state: 'open', subscription: null });
  expect(open.stdout).toMatch(/^subscription +-$/m);
});

// checkout-sessions#plan-links
test('a link names what follows, links are a table, and one is ended only when that is confirmed', async () => {
  const link = {
    ...{ id: 'lnk_1', url: 'https://pay.example/checkout/lnk_1', plan: 'pro', replaces: null },
    ask_email: true,
    ...{ success_url: null, created_at: AT, ended_at: null },
  };
  const created = await run(['link', 'create', '--plan', 'pro'], link);
  expect(created.stdout).toMatch(
    /\nNext: .+ subscription search --plan pro --url http:\/\/127\.0\.0\.1:1 --project proj_one\n$/,
  );
  const asJson = await run(['link', 'create', '--plan', 'pro', '--json'], link);
  expect(asJson.stdout).toBe(`${JSON.stringify(link)}\n`);
  const listed = await run(['link', 'list'], { links: [link] } satisfies LinkList);
  expect(listed.stdout.split('\n').slice(0, 2)).toEqual([
    'id     plan  replaces  url                                 ask_email  created_at                ended_at',
    `lnk_1  pro   -         https://pay.example/checkout/lnk_1  true       ${AT}  -`,
  ]);
  expect((await run(['link', 'list'], { links: [] })).stdout).toBe('There are none.\n');
  const unasked = await run(['link', 'end', 'lnk_1'], link);
  expect([unasked.code, unasked.sent]).toEqual([2, []]);
  expect((await run(['link', 'end', 'lnk_1', '--yes'], { ...link, ended_at: AT })).code).toBe(0);
});

test('a portal names its customer as it was typed', async () => {
  const { sent } = await run(['portal', 'create', '--subscription', 'sub_1', '--locale', 'de'], SESSION);
  expect(sent).toEqual([
    ['POST', '/manage/v1/projects/proj_one/portal/v1/sessions', { subscription: 'sub_1', locale: 'de' }],
  ]);
});
