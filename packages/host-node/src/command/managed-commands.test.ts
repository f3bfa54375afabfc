// Heavy: each command is run on a database and over HTTP, on a local chain that is opened for it.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSolanaRpc } from '@solana/kit';
import { signerFromKeyFile } from '@subrail/adapters/node';
import { sendSigned } from '@subrail/adapters/solana';
import type { ProjectId } from '@subrail/core/ports';
import { aSignature } from '@subrail/core/testing';
import { signTransaction } from '@subrail/localnet';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from './command-tree.js';
import { calledBy } from './managed.js';
import { createProgram } from './program.js';

import {
  openCommandWorld,
  SILENT_MAIL_SERVER,
  subscribeDemoWallet,
  WAYS,
  type CommandWorld,
} from './tests/command-world.js';
import { fakeTerminal } from './tests/fake-terminal.js';

let world: CommandWorld;
let routes: readonly Route[];
/** The address of the demo token. */
let mint: string;
/** A subscription of the demo wallet. */
let subscription: string;
beforeAll(async () => {
  world = await openCommandWorld(SILENT_MAIL_SERVER);
  routes = await managedRoutes();
  mint = (await world.shop.plans.list()).plans[0]?.mint ?? '';
  subscription = await subscribeDemoWallet(world);
});
afterAll(() => world.close());
// A project can have few of them.
afterEach(async () => {
  for (const { id } of await world.shop.endpoints.list()) await world.shop.endpoints.delete(id);
});

/** A route of management, and the operation that it calls. */
interface Route {
  readonly call: RegExp;
  readonly operation: string;
  /** Whether only management has it, and no holder of an API key. */
  readonly managementOnly: boolean;
}

/** What the document of the management routes lists. */
async function managedRoutes(): Promise<readonly Route[]> {
  const answer = await fetch(`${world.url}/manage/openapi.json`);
  const { paths } = (await answer.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined
        ? []
        : [
            {
              call: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
              operation: operationId,
              managementOnly: !path.includes('{project}/v1/'),
            },
          ],
    ),
  );
}

/** A wire object whose fields the test does not know. */
type Wire = Readonly<Record<string, unknown>>;

/** One row of the table: a command line, and what it answers. */
interface Row {
  readonly args: () => readonly string[] | Promise<readonly string[]>;
  /** The service's own answer after the command. Without it only the fields of both ways are compared. */
  readonly answer?: (printed: Wire) => unknown;
  /** The code with which the service refuses. */
  readonly refused?: string;
  /** The exit code; 0 without it, 1 for a refusal. */
  readonly code?: number;
}

let made = 0;
const unique = (start: string) => `${start}-${++made}`;
const stateFile = (name: string) => join(world.folder, '.subrail', name);
// plans#owner-key-in-operator-tools
const ownerKey = () => ['--owner-key', '.subrail/owner.json'];

function newPicture(): string {
  const name = `${unique('logo')}.svg`;
  writeFileSync(join(world.folder, name), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return name;
}

async function newEndpoint(): Promise<string> {
  const url = `http://127.0.0.1:1/${unique('hook')}`;
  return (await world.shop.endpoints.create({ url, types: ['subscription.created'] })).id;
}

async function paidAttempt(): Promise<string> {
  const { data } = await world.shop.payments.list({ outcome: 'paid', limit: 1 });
  return data[0]?.id ?? '';
}

async function newDraft(
  more: { readonly period_hours?: number; readonly ends_at?: string } = {},
): Promise<string> {
  const { address } = await signerFromKeyFile(stateFile('owner.json'));
  const plan = { owner: address, mint, amount: '1000000', period_hours: 24, ...more };
  return (await world.shop.plans.create({ name: unique('draft'), ...plan })).slug;
}

/** A draft that its wallet has published, which the service does not know yet. */
async function newOnChain(draft = newDraft()): Promise<string> {
  const slug = await draft;
  await send((await world.shop.plans.publish(slug)).transaction);
  return slug;
}

/** Signs and sends a transaction, as the wallet of the owner would. */
async function send(transaction: string): Promise<void> {
  const signer = await signerFromKeyFile(stateFile('owner.json'));
  await sendSigned({ rpc: createSolanaRpc(world.rpcUrl), signer, transaction });
}

/** A signed change of the plan `pro` that leaves it as it is. */
async function signedChange(): Promise<string> {
  const { transaction } = await world.shop.plans.changePullers('pro', {
    pullers: [world.billing.service.chain.charger],
  });
  return signTransaction(await signerFromKeyFile(stateFile('owner.json')), transaction);
}

/** A plan that has ended. */
async function newEnded(): Promise<string> {
  const slug = await newOnChain(newDraft({ period_hours: 1, ends_at: inHours(2) }));
  await world.shop.plans.confirmPublish(slug);
  world.advanceHours(3);
  return slug;
}

/** A plan that its wallet has deleted, which the service does not know yet. */
async function newDeleted(): Promise<string> {
  const slug = await newEnded();
  await send((await world.shop.plans.delete(slug)).transaction);
  return slug;
}

async function newPublished(): Promise<string> {
  const slug = await newOnChain();
  await world.shop.plans.confirmPublish(slug);
  return slug;
}

const inHours = (hours: number) =>
  new Date(world.billing.service.clock.now().getTime() + hours * 3_600_000)
    .toISOString()
    .replace(/\.\d+/, '');
const ends = () => ['--ends-at', inHours(1_440)];
const signed = () => ['--rpc', world.rpcUrl, ...ownerKey()];
const newDelivery = async () => (await world.shop.endpoints.test(await newEndpoint())).id;
const newProject = async () => (await world.billing.projects.create({ name: 'Empty' })).id;
const newApiKey = async () => (await world.shop.keys.create()).id;
const newCheckout = async () => (await world.shop.checkouts.create({ plan: 'pro' })).id;
const newLink = async () => (await world.shop.links.create({ plan: 'pro' })).id;
const linkOf = async ({ id }: Wire) => (await world.shop.links.list()).links.find((one) => one.id === id);
const newManagementKey = async () =>
  (await world.billing.management.createKey({ name: unique('key'), access: 'read' })).id;
const aMail = async () => (await world.shop.mails.list({ subscription })).data[0]?.id ?? '';
const anEvent = async () => (await world.shop.events.list({ limit: 1 })).data[0]?.id ?? '';

/** A mail that was given up. */
async function newFailed(): Promise<string> {
  const id = await aMail();
  const { store, wallClock } = world.billing.service;
  const now = wallClock.now();
  const { mails } = await store.claimMails(now, 10, now);
  for (const mail of mails)
    await store.settleMail({ ...mail, state: 'failed', nextAttemptAt: null, settledAt: now }, now);
  return id;
}

async function newRefused(): Promise<string> {
  const { store, wallClock } = world.billing.service;
  const address = `${unique('gone')}@example.org`;
  const refused = { projectId: world.projectId as ProjectId, address, reason: 'No such user.' };
  await store.refuseAddress({ ...refused, refusedAt: wallClock.now() });
  return address;
}

/** Every command over the functions of the service, in one or several rows, on the demo project. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'subrail project create': [
    {
      args: () => ['Another shop', '--tier', 'dev'],
      answer: ({ id }) => world.billing.project(String(id)).detail(),
    },
  ],
  'subrail project list': [{ args: () => [], answer: () => world.billing.projects.list() }],
  'subrail project show': [{ args: () => [], answer: () => world.shop.detail() }],
  'subrail project update': [
    { args: () => ['--subscriber-limit', '500', '--logo-url', 'none'], answer: () => world.shop.detail() },
  ],
  'subrail project look': [
    { args: () => [], answer: () => world.shop.look() },
    { args: () => ['--accent', '#0a7d5a', '--logo', newPicture()], answer: () => world.shop.look() },
    { args: () => ['--logo', 'none'], answer: () => world.shop.look() },
  ],
  'subrail project seller': [
    { args: () => [], answer: () => world.shop.seller() },
    {
      args: () => ['--legal-name', 'Night Owl', '--address', 'Gasse 1, 1010 Wien', '--tax-id', 'ATU1'],
      answer: () => world.shop.seller(),
    },
    { args: () => ['--address', 'none'], answer: () => world.shop.seller() },
    { args: () => ['--receipt-prefix', 'night'], refused: 'invalid_request' },
  ],
  'subrail project delete': [{ args: async () => [await newProject(), '--yes'], answer: () => ({}) }],
  'subrail key create': [
    { args: () => [] },
    { args: () => ['--management', '--name', 'Dashboard', '--access', 'read'] },
  ],
  'subrail key rotate': [{ args: async () => [await newApiKey(), '--overlap-hours', '1', '--yes'] }],
  'subrail key list': [
    { args: () => [], answer: () => world.shop.keys.list() },
    { args: () => ['--management'], answer: () => world.billing.management.listKeys() },
  ],
  'subrail key revoke': [
    { args: async () => [await newApiKey(), '--yes'], answer: () => ({}) },
    { args: async () => [await newManagementKey(), '--yes'], answer: () => ({}) },
  ],
  'subrail plan create': [
    {
      args: () => [unique('gold'), '--amount', '9.99', '--every', '30d', ...chain(), ...ownerKey()],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
  ],
  'subrail plan list': [{ args: () => [], answer: () => world.shop.plans.all() }],
  'subrail plan show': [{ args: () => ['pro'], answer: () => world.shop.plans.detail('pro') }],
  'subrail plan publish': [
    { args: async () => [await newDraft()] },
    {
      args: async () => [await newDraft(), ...signed()],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
  ],
  'subrail plan submit': [
    { args: async () => ['pro', '--transaction', await signedChange()] },
    { args: () => ['pro', '--transaction', 'AQAB'], refused: 'not_our_transaction' },
  ],
  'subrail plan confirm': [
    {
      args: async () => [await newOnChain()],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
    { args: async () => [await newDraft()], refused: 'plan_not_on_chain' },
  ],
  'subrail plan update': [
    {
      args: () => ['pro', '--description', unique('text'), '--website', 'none', '--one-per-customer', 'no'],
      answer: () => world.shop.plans.detail('pro'),
    },
  ],
  'subrail plan discard': [
    {
      args: async () => [await newDraft(), '--yes'],
      answer: ({ slug }) => expect.objectContaining({ slug, status: 'failed' }) as object,
    },
  ],
  'subrail plan sunset': [
    { args: async () => [await newPublished(), ...ends(), '--yes'] },
    {
      args: async () => [await newPublished(), ...ends(), ...signed(), '--yes'],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
  ],
  'subrail plan shorten': [
    {
      args: async () => [await newPublished(), ...ends(), ...signed(), '--yes'],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
  ],
  'subrail plan pullers': [
    {
      args: async () => [await newPublished(), '--wallets', world.billing.service.chain.charger, ...signed()],
      answer: ({ slug }) => world.shop.plans.detail(String(slug)),
    },
  ],
  'subrail plan delete': [{ args: async () => [await newEnded(), ...signed(), '--yes'] }],
  'subrail plan confirm-delete': [
    { args: async () => [await newDeleted()] },
    { args: async () => [await newEnded()], refused: 'conflict' },
  ],
  'subrail link create': [
    {
      args: () => ['--plan', 'pro', '--ask-email', '--success-url', 'https://shop.example/thanks'],
      answer: (printed) => linkOf(printed),
    },
    { args: () => ['--plan', 'unknown'], refused: 'plan_not_found' },
  ],
  'subrail link list': [{ args: () => [], answer: () => world.shop.links.list() }],
  'subrail link end': [
    { args: async () => [await newLink(), '--yes'], answer: (printed) => linkOf(printed) },
    { args: () => ['lnk_none', '--yes'], refused: 'link_not_found' },
  ],
  'subrail checkout create': [
    {
      args: () => ['--plan', 'pro', '--external-id', 'customer-42', '--expires-in', '2h', '--ask-email'],
    },
    { args: () => ['--plan', 'pro', '--success-url', 'ftp://shop.example/'], refused: 'invalid_request' },
    { args: () => ['--plan', 'pro,unknown'], refused: 'plan_not_found' },
  ],
  'subrail checkout show': [
    {
      args: async () => [await newCheckout()],
      answer: ({ id }) => world.shop.checkouts.retrieve(String(id)),
    },
    { args: () => ['chk_none'], refused: 'session_not_found' },
  ],
  'subrail portal create': [
    { args: () => ['--external-id', 'customer-42', '--return-url', 'https://shop.example/account'] },
    { args: () => ['--subscription', subscription, '--expires-in', '5m', '--locale', 'de'] },
    { args: () => ['--email', 'ada@example.org', '--external-id', 'ada'], refused: 'invalid_request' },
  ],
  'subrail doctor': [{ args: () => [], answer: () => world.shop.doctor.examine() }],
  'subrail plan confirm-update': [
    { args: async () => [await newPublished()], answer: ({ slug }) => world.shop.plans.detail(String(slug)) },
    { args: async () => [await newPublished(), '--status', 'sunset'], refused: 'plan_mismatch' },
  ],
  'subrail endpoint create': [
    { args: () => [`http://127.0.0.1:1/${unique('hook')}`, '--events', 'all'] },
    { args: () => ['http://127.0.0.1:1/', '--events', 'nonsense'], refused: 'invalid_request' },
  ],
  'subrail endpoint list': [{ args: () => [], answer: () => world.shop.endpoints.list() }],
  'subrail endpoint show': [
    { args: async () => [await newEndpoint()], answer: (printed) => endpointOf(printed) },
    { args: () => ['ep_none'], refused: 'not_found' },
  ],
  'subrail endpoint update': [
    {
      args: async () => [await newEndpoint(), '--events', 'subscription.ended,subscription.renewed'],
      answer: (printed) => endpointOf(printed),
    },
  ],
  'subrail endpoint enable': [
    { args: async () => [await newEndpoint()], answer: (printed) => endpointOf(printed) },
  ],
  'subrail endpoint disable': [
    { args: async () => [await newEndpoint()], answer: (printed) => endpointOf(printed) },
  ],
  'subrail endpoint delete': [{ args: async () => [await newEndpoint(), '--yes'], answer: () => ({}) }],
  'subrail endpoint test': [
    {
      args: async () => [await newEndpoint(), '--type', 'subscription.created'],
      answer: ({ id }) => world.shop.deliveries.retrieve(String(id)),
      // Nothing listens there.
      code: 1,
    },
  ],
  'subrail endpoint recover': [
    {
      args: async () => [await newEndpoint(), '--since', new Date().toISOString()],
      answer: () => ({ recovered: 0 }),
    },
  ],
  'subrail endpoint rotate-secret': [
    { args: async () => [await newEndpoint(), '--overlap-hours', '1', '--yes'] },
  ],
  'subrail delivery list': [
    {
      args: () => ['--state', 'failed', '--limit', '2'],
      answer: () => world.shop.deliveries.list({ state: 'failed', limit: 2 }),
    },
  ],
  'subrail delivery show': [
    {
      args: async () => [await newDelivery()],
      answer: ({ id }) => world.shop.deliveries.retrieve(String(id)),
    },
  ],
  'subrail delivery resend': [
    { args: async () => ['--event', await anEvent(), '--endpoint', await newEndpoint()] },
  ],
  'subrail mail list': [
    {
      args: () => ['--subscription', subscription],
      answer: () => world.shop.mails.list({ subscription }),
    },
    { args: () => ['--starting-after', 'eml_none'], refused: 'invalid_request' },
  ],
  'subrail mail show': [
    { args: async () => [await aMail()], answer: ({ id }) => world.shop.mails.retrieve(String(id)) },
  ],
  'subrail mail send-again': [
    { args: async () => [await aMail()], refused: 'conflict' },
    { args: async () => [await newFailed()] },
  ],
  'subrail mail settings': [
    { args: () => [], answer: () => world.shop.mails.settings() },
    {
      args: () => ['--off', 'ended, receipt', '--reply-to', 'help@shop.example', '--language', 'de'],
      answer: () => world.shop.mails.settings(),
    },
    {
      args: () => ['--off', 'none', '--reply-to', 'none', '--language', 'en'],
      answer: () => world.shop.mails.settings(),
    },
    { args: () => ['--off', 'gifts'], refused: 'invalid_request' },
  ],
  'subrail mail refused': [
    {
      args: async () => {
        await newRefused();
        return [];
      },
      answer: () => world.shop.mails.refused(),
    },
  ],
  'subrail mail accept': [
    { args: async () => [await newRefused()], answer: () => ({}) },
    { args: () => ['nobody@example.org'], refused: 'not_found' },
  ],
  // Nothing listens there.
  'subrail mail test': [{ args: () => ['--to', 'desk@shop.example'], code: 1 }],
  'subrail mail preview': [
    {
      args: () => ['stopped', '--language', 'de'],
      answer: () => world.shop.mails.preview({ kind: 'stopped', language: 'de' }),
    },
    { args: () => ['gift'], refused: 'invalid_request' },
  ],
  'subrail subscription list': [
    {
      args: () => ['--external-id', 'customer-42'],
      answer: () => world.shop.subscriptions.list({ external_id: 'customer-42' }),
    },
  ],
  'subrail subscription show': [
    { args: () => [subscription], answer: () => world.shop.subscriptions.detail(subscription) },
  ],
  'subrail subscription search': [
    {
      args: () => ['--plan', 'pro', '--limit', '1'],
      answer: () => world.shop.subscriptions.search({ plan: 'pro', limit: 1 }),
    },
    { args: () => ['--late'], answer: () => world.shop.subscriptions.search({ late: true }) },
    { args: () => ['--count'], answer: () => world.shop.subscriptions.count() },
    { args: () => ['--cannot-pay', '--days', '60'], answer: () => world.shop.subscriptions.cannotPay() },
  ],
  'subrail subscription failing': [{ args: () => [], answer: () => world.shop.subscriptions.failing() }],
  'subrail subscription explain': [{ args: () => [subscription] }],
  'subrail subscription update': [
    {
      args: () => [subscription, '--email', 'ada@example.org'],
      answer: () => world.shop.subscriptions.retrieve(subscription),
    },
  ],
  'subrail payment list': [
    {
      args: () => ['--plan', 'pro', '--outcome', 'paid', '--from', '2020-01-01'],
      answer: () => world.shop.payments.list({ plan: 'pro', outcome: 'paid' }),
    },
  ],
  'subrail payment receipt': [
    {
      args: async () => [await paidAttempt()],
      answer: async () => world.shop.payments.receipt(await paidAttempt()),
    },
    { args: () => ['att_none'], refused: 'not_found' },
  ],
  'subrail payment refund': [
    {
      args: async () => {
        return [await paidAttempt(), '--signature', aSignature()];
      },
      refused: 'conflict',
    },
  ],
  'subrail export payments': [
    {
      args: () => ['--plan', 'pro', '--output', stateFile('payments.csv')],
      answer: () => Promise.resolve({ file: stateFile('payments.csv') }),
    },
  ],
  'subrail export subscriptions': [
    { args: () => ['--format', 'ndjson', '--output', stateFile('subscriptions.ndjson')] },
  ],
  'subrail export figures': [
    { args: () => ['--by', 'month', '--output', stateFile('figures.csv')] },
    { args: () => ['--from', '2030-01-01', '--output', stateFile('none.csv')], refused: 'invalid_request' },
  ],
  'subrail upcoming': [
    { args: () => [], answer: () => world.shop.reports.upcoming() },
    { args: () => ['--by-day'], answer: () => world.shop.reports.schedule() },
    { args: () => ['--days', '40'], answer: () => world.shop.reports.schedule({ days: 40 }) },
  ],
  'subrail overview': [{ args: () => ['--days', '7'] }],
  'subrail figures': [
    {
      args: () => ['--by', 'week', '--plan', 'pro'],
      answer: () => world.shop.reports.figures({ by: 'week', plan: 'pro' }),
    },
  ],
  'subrail cohorts': [
    { args: () => ['--months', '3'], answer: () => world.shop.reports.cohorts({ months: 3 }) },
  ],
  'subrail rebuild-figures': [{ args: () => [], answer: () => world.shop.reports.rebuild() }],
  'subrail subscription attempts': [
    { args: () => [subscription], answer: () => world.shop.subscriptions.attempts(subscription) },
  ],
  'subrail subscription retry': [{ args: () => [subscription], refused: 'subscription_not_late' }],
  'subrail audit': [
    {
      args: () => ['--subject', 'pro'],
      answer: () => world.billing.management.auditEntries({ subject: 'pro' }),
    },
  ],
  'subrail reseal': [{ args: () => [], answer: () => world.billing.secrets.reseal() }],
};

const endpointOf = ({ id }: Wire) => world.shop.endpoints.retrieve(String(id));
/** A command over HTTP does not know the chain, nor the local demo token. */
const chain = () => ['--rpc', world.rpcUrl, '--mint', mint];

/** Every command that calls an operation of the service, from the tree itself. */
const COMMANDS = managedCommands(
  createProgram({ terminal: fakeTerminal({ folder: '/' }).terminal, args: [], finish: () => undefined })
    .command,
);

function managedCommands(command: Command): readonly Command[] {
  const own = calledBy(command).length > 0 ? [command] : [];
  return [...own, ...command.commands.flatMap(managedCommands)];
}

test('has a row for every command', () => {
  expect(Object.keys(ROWS).sort()).toEqual(COMMANDS.map(pathOf).sort());
});

/** What an answer has, without what differs between two calls: the type of each field. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

/** The operations that were called over HTTP since the last time. */
function called(): readonly string[] {
  return world.calls.splice(0).map((call) => {
    const route = routes.find((one) => one.call.test(call));
    return route?.operation ?? `no operation: ${call}`;
  });
}

describe.each(COMMANDS.map((command) => [pathOf(command), calledBy(command)] as const))(
  '%s',
  (path, operations) => {
    test('answers the same on the database and over HTTP, as the service does, and calls what it says', async () => {
      const overHttp = new Set<string>();
      for (const { args, answer, refused, code: expected = 0 } of ROWS[path] ?? []) {
        const shapes = [];
        for (const way of WAYS) {
          called();
          const typed = [...path.split(' ').slice(1), ...(await args()), '--json'];
          const { code, stdout, stderr } = await world.run(way, typed);
          for (const operation of called()) overHttp.add(operation);
          if (refused !== undefined) {
            const reason = expect.stringMatching(`\\(${refused}\\)\n$`) as string;
            expect([way, code, stdout, stderr]).toEqual([way, 1, '', reason]);
            continue;
          }
          // The doctor exits with 1 for a finding, which its answer is compared with below.
          if (path !== 'subrail doctor') expect(code).toBe(expected);
          expect([way, stderr]).toEqual([way, '']);
          const printed = JSON.parse(stdout) as Wire;
          if (answer !== undefined) expect(printed).toEqual(await answer(printed));
          shapes.push(shapeOf(printed));
        }
        expect(shapes[0]).toEqual(shapes[1]);
      }
      expect([...overHttp].sort()).toEqual([...operations].sort());
    });
  },
);

test.each(WAYS)('tells of each payment its amount, period and signature (%s)', async (way) => {
  const [payment] = (await world.shop.payments.list({ subscription })).data;
  const { attempted_at, amount_display, symbol, period_start, signature } = payment ?? {};
  const period = period_start?.slice(0, 10);
  const row = [attempted_at, 'paid', '-', amount_display, period, signature].join(' ');
  for (const command of ['show', 'explain']) {
    const { stdout } = await world.run(way, ['subscription', command, subscription]);
    expect(stdout.replace(/ +/g, ' ')).toContain(
      `\nAttempts\nattempted_at outcome reason amount period signature\n${row}\n`,
    );
  }
  const listed = await world.run(way, ['payment', 'list', '--subscription', subscription]);
  expect(listed.stdout.replace(/ +/g, ' ')).toContain(
    `${attempted_at} paid - ${amount_display} ${symbol} - pro customer-42 ${period} ${signature}\n`,
  );
});

// payments#exports
test.each(WAYS)('an export is the output, or a file that is there when it is whole (%s)', async (way) => {
  let csv = '';
  for await (const part of await world.shop.payments.export({ format: 'csv' })) csv += part;
  expect(await world.run(way, ['export', 'payments'])).toMatchObject({ code: 0, stdout: csv, stderr: '' });
  const file = stateFile(`${way}.csv`);
  expect(await world.run(way, ['export', 'payments', '--output', file])).toMatchObject({
    stdout: `Written: ${file}\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe(csv);
  expect(statSync(file).mode & 0o077).toBe(0);
  const nowhere = stateFile('no/folder.csv');
  expect((await world.run(way, ['export', 'payments', '--output', nowhere])).stderr).toContain(
    `${nowhere} cannot be written`,
  );
  expect((await world.run(way, ['export', 'payments', '--json'])).stderr).toContain('--json needs --output');
  expect((await world.run(way, ['subscription', 'search', '--count'])).stdout).toMatch(
    /^\d+\nNext charges: [\d.]+ \S+ of \d+\n$/,
  );
});

test.each(WAYS)('stores no plan whose price was typed for other decimals (%s)', async (way) => {
  const slug = unique('wrong');
  const price = ['--amount', '9.99', '--decimals', '3', '--every', '30d'];
  const { code, stderr } = await world.run(way, [
    'plan',
    'create',
    slug,
    ...price,
    ...chain(),
    ...ownerKey(),
  ]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('The token has 6 decimals and not 3') as string,
  ]);
  await expect(world.shop.plans.detail(slug)).rejects.toMatchObject({ code: 'plan_not_found' });
});

test('a publication that is run again finds that the plan is on chain', async () => {
  const slug = await newOnChain();
  const again = await world.run('database', ['plan', 'publish', slug, ...signed()]);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect((await world.shop.plans.detail(slug)).status).toBe('active');
});

test('a look and a name lead to the links that show them, in the project that was named', async () => {
  const look = async (...named: readonly string[]) =>
    (await world.run('database', ['project', 'look', ...named])).stdout;
  expect(await look('--accent', '#0a7d5a')).toMatch(/ wear it: .+\nNext: .+ link list\n$/);
  expect(await look('--accent', 'none')).toMatch(/ look as they do without one\.\nNext: .+ link list\n$/);
  for (const named of [[world.projectId], ['--project', world.projectId]])
    expect(await look(...named)).toMatch(
      new RegExp(`\\nNext: .+ link list --project ${world.projectId}\\n$`),
    );
  const { name } = await world.shop.detail();
  const update = async (...given: readonly string[]) =>
    (await world.run('database', ['project', 'update', ...given])).stdout;
  expect(await update(world.projectId, '--name', name)).toMatch(
    new RegExp(`\\nNext: .+ link list --project ${world.projectId}\\n$`),
  );
  expect(await update('--cancel-url', 'none')).not.toContain('Next:');
});

test('a project that is named twice is not looked for', async () => {
  for (const command of ['show', 'update', 'look']) {
    const twice = ['project', command, world.projectId, '--project', 'proj_2'];
    const { code, stderr } = await world.run('database', twice);
    expect(code).toBe(2);
    expect(stderr).toContain(`Name the project once: ${world.projectId}, or --project proj_2.`);
  }
});

test('says in a sentence that a transaction could not be sent', async () => {
  const other = ['--rpc', world.rpcUrl, '--owner-key', '.subrail/wallet.json'];
  const { code, stderr } = await world.run('database', ['plan', 'publish', await newDraft(), ...other]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The transaction was not sent: .+\n$/) as string,
  ]);
});

/** The operations that only management has and no command calls. Empty it. */
const WITHOUT_COMMAND: readonly string[] = [];

test('no operation of management is without a command, but those that are listed', () => {
  const commanded = new Set(COMMANDS.flatMap(calledBy));
  const missing = routes.filter(
    ({ operation, managementOnly }) => managementOnly && !commanded.has(operation),
  );
  expect(missing.map(({ operation }) => operation).sort()).toEqual([...WITHOUT_COMMAND].sort());
});
