import { expect, it } from 'vitest';
import { CommandFailed } from '../errors.js';
import { chainTime, travelTo, type SandboxRpc } from './sandbox.js';

it('says in a sentence that the host of the chain was stopped', async () => {
  const stopped = { getSlot: () => ({ send: () => Promise.reject(new TypeError('fetch failed')) }) };
  await expect(chainTime(stopped as unknown as SandboxRpc)).rejects.toEqual(
    new CommandFailed('The local chain does not answer any more. Start its host, and run this again.'),
  );
});

const INSTANT = new Date('2026-01-02T00:00:00.000Z');

/** A chain that shows these times in turn, and refuses to be moved as one does that is past the instant. */
function refusing(times: readonly Date[]): SandboxRpc {
  const shown = [...times];
  const answer = <T>(send: () => Promise<T>) => ({ send });
  return {
    getSlot: () => answer(async () => 1n),
    getBlockTime: () => answer(async () => BigInt((shown.shift() ?? INSTANT).getTime() / 1_000)),
    surfnet_timeTravel: () => answer(() => Promise.reject(new Error('A chain does not go back in time.'))),
  } as unknown as SandboxRpc;
}

it('takes a chain that another command moved to the instant meanwhile for moved', async () => {
  await expect(travelTo(refusing([new Date(0), INSTANT]), INSTANT)).resolves.toBeUndefined();
});

it('says why a chain that is before the instant was not moved', async () => {
  await expect(travelTo(refusing([new Date(0), new Date(0)]), INSTANT)).rejects.toThrow('does not go back');
});
