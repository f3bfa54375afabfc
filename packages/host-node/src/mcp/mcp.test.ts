// Heavy: a host on a local chain, and the command in processes of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { managementDocument } from '@subrail/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS } from './facts.js';
import {
  openCommandWorld,
  SILENT_MAIL_SERVER,
  subscribeDemoWallet,
  type CommandWorld,
} from '../command/tests/command-world.js';

let world: CommandWorld;
let subscription: string;
/** The ids that a tool of a group takes. */
let ids: Readonly<Record<string, string>>;
let readingKey: string;
let actingKey: string;
const open: Client[] = [];

beforeAll(async () => {
  world = await openCommandWorld(SILENT_MAIL_SERVER);
  const { shop, billing } = world;
  subscription = await subscribeDemoWallet(world);
  const endpoint = await shop.endpoints.create({
    url: 'http://127.0.0.1:1/hook',
    types: ['subscription.created'],
  });
  await shop.endpoints.recover(endpoint.id, { since: '2020-01-01T00:00:00Z' });
  const [event] = (await shop.events.list({ type: 'subscription.created' })).data;
  const [mail] = (await shop.mails.list()).data;
  const [delivery] = (await shop.deliveries.list({ endpoint: endpoint.id })).data;
  const [payment] = (await shop.payments.list({ outcome: 'paid' })).data;
  const checkout = await shop.checkouts.create({ plan: 'pro' });
  ids = {
    subscriptions: subscription,
    endpoints: endpoint.id,
    events: event?.id ?? '',
    deliveries: delivery?.id ?? '',
    mails: mail?.id ?? '',
    checkouts: checkout.id,
    payments: payment?.id ?? '',
  };
  readingKey = (await billing.management.createKey({ name: 'Assistant', access: 'read' })).key;
  actingKey = (await billing.management.createKey({ name: 'Deputy', access: 'write' })).key;
});
afterAll(async () => {
  for (const client of open) await client.close();
  await world.close();
});

async function connect(transport: unknown): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' });
  open.push(client);
  // Its types do not say that what is absent may be undefined.
  await client.connect(transport as Transport);
  return client;
}

const overRoute = (key: string) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${world.url}/manage/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );

/** The arguments of Node that run the command, and its environment. */
const MCP = [
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('../main.js', import.meta.url)),
  'mcp',
];
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' };

/** A client of the command, and what it wrote on stdout that is no message. */
async function overStdio(...args: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...MCP, ...args],
    cwd: world.folder,
    env: ENVIRONMENT,
    stderr: 'pipe',
  });
  const strange: unknown[] = [];
  const client = await connect(transport);
  client.onerror = (error) => strange.push(error);
  return { client, strange };
}

/** The operations of the table, in the words of tools, without those that answer with a file. */
function operations(method: 'get' | 'post'): readonly string[] {
  return Object.values(managementDocument().paths).flatMap((methods) => {
    const id = methods[method]?.operationId;
    return id === undefined || id.endsWith('.export') ? [] : [id.replace('.', '_')];
  });
}

/** The arguments that mean the same to every tool. */
const ALWAYS: Readonly<Record<string, string>> = { slug: 'pro', kind: 'receipt' };

/** What a tool is called with: what its schema requires, and the customer where one has to be named. */
function argumentsOf(name: string, required: readonly string[] = []): Record<string, string> {
  const [group = ''] = name.split('_');
  return {
    ...Object.fromEntries(required.map((field) => [field, ALWAYS[field] ?? ids[group] ?? ''])),
    ...(['access_check', 'subscriptions_list'].includes(name) ? { external_id: 'customer-42' } : {}),
  };
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>) =>
  (result.content as readonly { readonly text: string }[])[0]?.text ?? '';

async function callEveryReadingTool(client: Client): Promise<number> {
  const { tools } = await client.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  for (const { name, inputSchema } of reading) {
    // The client refuses an answer that its output schema does not describe.
    const result = await client.callTool({ name, arguments: argumentsOf(name, inputSchema.required) });
    expect(result.isError, `${name}: ${textOf(result)}`).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  }
  return reading.length;
}

describe('over the route', () => {
  // management#tools-for-assistants
  it('offers every operation of the table to an acting key', async () => {
    const { tools } = await (await overRoute(actingKey)).listTools();
    expect(new Set(tools.map(({ name }) => name))).toEqual(
      new Set([...operations('get'), ...operations('post')]),
    );
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description).toBe(FACTS[name.replace('_', '.')]);
      expect(inputSchema.required ?? []).not.toContain('project');
    }
    expect(tools.find(({ name }) => name === 'keys_revoke')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(tools.find(({ name }) => name === 'keys_create')?.annotations?.destructiveHint).toBe(false);
  });

  // management#tools-for-assistants
  it('offers a reading key what reads alone, and every such tool answers', async () => {
    const client = await overRoute(readingKey);
    expect(await callEveryReadingTool(client)).toBe(operations('get').length);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const refused = await client.callTool({ name: 'keys_create', arguments: {} });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      'forbidden: keys_create changes something. This management key may only read.',
    );
  });

  it('answers amounts as text', async () => {
    const client = await overRoute(readingKey);
    const { structuredContent } = await client.callTool({
      name: 'subscriptions_attempts',
      arguments: { id: subscription },
    });
    const { data } = structuredContent as { readonly data: readonly { readonly amount: unknown }[] };
    expect(data[0]?.amount).toMatch(/^\d+$/);
  });

  // management#tools-for-assistants
  it('writes a change into the audit log, by the key', async () => {
    const client = await overRoute(actingKey);
    const made = await client.callTool({ name: 'links_create', arguments: { plan: 'pro' } });
    expect(made.isError, textOf(made)).toBeUndefined();
    const [entry] = (await world.billing.management.auditEntries({ limit: 1 })).data;
    expect(entry).toMatchObject({ operation: 'links.create', outcome: 'done' });
    expect(entry?.actor).toMatch(/^Deputy \(/);
  });

  it.each([
    ['an unknown project', 'reports_upcoming', { project: 'prj_none' }, /^not_found: /],
    ['an invalid input', 'reports_schedule', { days: 400 }, /^invalid_request: .*days/],
    ['an unknown field', 'reports_schedule', { weeks: 1 }, /^invalid_request: .*weeks/],
    [
      'a field of a tool without an input',
      'plans_all',
      { color: 1 },
      /^invalid_request: plans_all takes no "color". It takes project\.$/,
    ],
    ['a missing id', 'subscriptions_explain', {}, /^invalid_request: "id" is missing/],
    ['a path as an id', 'subscriptions_explain', { id: '../../keys' }, /^invalid_request: "id" is missing/],
    ['a project that is no text', 'plans_all', { project: 7 }, /^invalid_request: "project" must be/],
    ['an unknown id', 'subscriptions_explain', { id: 'sub_none' }, /^subscription_not_found: /],
  ])('says what is wrong with %s', async (_, name, given, expected) => {
    const result = await (await overRoute(readingKey)).callTool({ name, arguments: given });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
    expect(textOf(result)).not.toMatch(/\n\s+at /);
  });

  it('asks for the project where there are several', async () => {
    const other = await world.billing.projects.create({ name: 'Other shop' });
    const client = await overRoute(readingKey);
    const result = await client.callTool({ name: 'plans_all', arguments: {} });
    expect(textOf(result)).toContain(`Name one as "project": `);
    expect(textOf(result)).toContain(`${other.id} (Other shop)`);
    const named = await client.callTool({ name: 'plans_all', arguments: { project: other.id } });
    expect(named.structuredContent).toEqual({ data: [] });
    await world.billing.project(other.id).delete();
  });

  it('refuses a tool that does not exist', async () => {
    const client = await overRoute(readingKey);
    await expect(client.callTool({ name: 'plans_burn', arguments: {} })).rejects.toThrow('There is no tool');
  });

  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
  };
  const post = (headers: Readonly<Record<string, string>>, body: unknown = initialize) =>
    fetch(`${world.url}/manage/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${readingKey}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });

  // management#tools-for-assistants
  it.each([
    ['no key', { Authorization: '' }, 401, 'missing_api_key'],
    ['an unknown key', { Authorization: `Bearer SUBM_${'a'.repeat(43)}` }, 401, 'invalid_api_key'],
    ['a page of another origin', { Origin: 'https://evil.example' }, 403, 'forbidden'],
    ['a page without an origin', { Origin: 'null' }, 403, 'forbidden'],
  ])('refuses %s as the routes do', async (_, headers, status, code) => {
    const response = await post(headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('answers in JSON, without a session and without a stream', async () => {
    const response = await post({ Origin: new URL(world.url).origin });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    const stream = await fetch(`${world.url}/manage/mcp`, {
      headers: { Authorization: `Bearer ${readingKey}` },
    });
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('reads no long message, and no list of messages', async () => {
    expect((await post({}, { ...initialize, more: 'x'.repeat(200_000) })).status).toBe(413);
    expect((await post({}, [initialize, initialize])).status).toBe(400);
  });

  // management#management-keys
  it('refuses a key from the moment it is revoked', async () => {
    const { id, key } = await world.billing.management.createKey({ name: 'Short', access: 'read' });
    const client = await overRoute(key);
    await client.listTools();
    await world.billing.management.revokeKey(id);
    await expect(client.listTools()).rejects.toThrow(/invalid_api_key/);
  });
});

describe('over stdin and stdout', () => {
  // management#tools-for-assistants
  it('reads the database beside it, and writes nothing but messages', async () => {
    const { client, strange } = await overStdio();
    expect(await callEveryReadingTool(client)).toBe(operations('get').length);
    const refused = await client.callTool({ name: 'keys_create', arguments: {} });
    expect(textOf(refused)).toMatch(/^forbidden: .*--act\.$/);
    expect(strange).toEqual([]);
  });

  // management#tools-for-assistants
  it('acts on a host over HTTP with --act, as far as the key allows', async () => {
    const { client, strange } = await overStdio('--act', '--url', world.url, '--key-file', world.keyFile);
    const made = await client.callTool({ name: 'keys_create', arguments: { name: 'By an assistant' } });
    expect(made.structuredContent).toMatchObject({ name: 'By an assistant' });
    const wrong = await client.callTool({ name: 'reports_schedule', arguments: { days: 400 } });
    expect(textOf(wrong)).toMatch(/^invalid_request: .*days/);
    expect(strange).toEqual([]);
  });

  it('tells stderr of what is no message, and ends when its stdin does', async () => {
    const child = spawn(process.execPath, [...MCP], { cwd: world.folder, env: ENVIRONMENT });
    child.stdin.end('no message\n');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^A message could not be read or answered: .*$/m);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('docs/mcp.md', () => {
  it('names tools that exist', () => {
    const page = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');
    const [, questions = ''] = /## Ten questions\n([\s\S]*?)\n## /.exec(page) ?? [];
    const rows = questions.split('\n').filter((line) => line.includes('?'));
    expect(rows).toHaveLength(10);
    const known = new Set(operations('get'));
    const groups = new Set([...known].map((name) => name.split('_')[0]));
    for (const row of rows) {
      const named = Array.from(row.matchAll(/`(\w+_\w+)`/g), ([, name = '']) => name);
      const tools = named.filter((name) => groups.has(name.split('_')[0]));
      expect(tools).not.toEqual([]);
      expect(tools.filter((name) => !known.has(name))).toEqual([]);
    }
  });
});
