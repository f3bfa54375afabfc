import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ConnectionError, type Manager } from '@subrail/core/client';
import { Unavailable } from '@subrail/core/ports';
import { expect, it } from 'vitest';
import { createMcpServer } from './server.js';

/** Calls a tool of a service whose functions throw, and returns its answer and what the log was told. */
async function failedWith(error: Error) {
  const told: unknown[] = [];
  const manager = { projects: { list: () => Promise.reject(error) } } as unknown as Manager;
  const server = createMcpServer({ manager, acts: false, howToAct: '', onFailure: (one) => told.push(one) });
  const client = new Client({ name: 'tests', version: '1' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const answer = await client.callTool({ name: 'projects_list', arguments: {} });
  await client.close();
  return { answer, told };
}

const refused = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });

it.each([
  ['a store that is away', new Unavailable('The database does not answer.'), 'The database does not answer.'],
  [
    'a host that is away',
    new ConnectionError('GET /manage/v1/projects', null),
    'GET /manage/v1/projects got no answer: the connection failed. What it did is unknown; it is safe to repeat.',
  ],
])('tells the assistant of %s', async (_, error, sentence) => {
  expect(await failedWith(error)).toEqual({ answer: refused(`unavailable: ${sentence}`), told: [] });
});

it('tells a bug to the log, and nothing of it to the assistant', async () => {
  const bug = new TypeError('x is undefined');
  expect(await failedWith(bug)).toEqual({
    answer: refused('internal_error: The call failed. The log says why.'),
    told: [bug],
  });
});
