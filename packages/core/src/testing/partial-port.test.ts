import { describe, expect, it } from 'vitest';
import type { Store } from '../ports/index.js';
import { partialPort } from './partial-port.js';

describe('partialPort', () => {
  it('names the method that it was not given', () => {
    const store = partialPort<Store>({ listProjects: async () => [] });

    expect(() => store.nextWakeAt()).toThrow(
      'The port has no method nextWakeAt: partialPort was given none.',
    );
  });

  it('can be awaited and returned by a promise, as an adapter that is opened asynchronously', async () => {
    const store = await Promise.resolve(partialPort<Store>({ listProjects: async () => [] }));

    await expect(store.listProjects()).resolves.toEqual([]);
  });
});
