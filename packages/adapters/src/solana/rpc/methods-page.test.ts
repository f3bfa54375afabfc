import { readdirSync, readFileSync } from 'node:fs';
import { createLocalnet, localnetTransport } from '@subrail/localnet';
import { expect, test } from 'vitest';

const folder = new URL('../', import.meta.url);
const page = readFileSync(new URL('../../../../docs/program.md', folder), 'utf8');
const [, section = ''] = page.split('## Commitment and RPC methods\n');
const [, called = '', had = ''] =
  /The methods that the service calls: (.+?)\n\n(The local chain has them all\. .+?)\n\n/s.exec(section) ??
  [];
const transport = localnetTransport(createLocalnet());
const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** What is called of an RPC client in the sources of the chain. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(?!tests\b).*(?<!\.test)\.ts$/.test(file),
);
const calls = sources.flatMap((file) =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/\brpc\s*\.(\w+)\(/g)].map(
    ([, name = '']) => name,
  ),
);

// program#commitment-and-rpc-methods
test('docs/program.md lists every method that the chain calls, and no other', () => {
  expect(named(called)).toEqual([...new Set(calls)].sort());
});

test.each([...named(called), ...named(had)])('the local chain has %s', async (method) => {
  const answer = await transport({ payload: { jsonrpc: '2.0', id: 1, method, params: [] } });
  expect(answer).not.toMatchObject({ error: { code: -32601 } });
});
