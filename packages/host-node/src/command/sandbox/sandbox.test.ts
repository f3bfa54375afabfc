import { expect, it } from 'vitest';
import { CommandFailed } from '../command-failed.js';
import { chainTime, type SandboxRpc } from './sandbox.js';

it('says in a sentence that the host of the chain was stopped', async () => {
  const stopped = { getSlot: () => ({ send: () => Promise.reject(new TypeError('fetch failed')) }) };
  await expect(chainTime(stopped as unknown as SandboxRpc)).rejects.toEqual(
    new CommandFailed('The local chain does not answer any more. Start its host, and run this again.'),
  );
});
