import {
  getDefaultAutoSelectFamilyAttemptTimeout as timeOfAnAddress,
  setDefaultAutoSelectFamilyAttemptTimeout as setTimeOfAnAddress,
} from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { runHere } from './tests/fake-terminal.js';

const before = timeOfAnAddress();
afterEach(() => setTimeOfAnAddress(before));

// starting#servers-far-away
test.each([
  ['by itself, Node gives it a quarter of that', 250, 1_000],
  ['the options of Node give it more', 5_000, 5_000],
])('each address of a server has at least a second when %s', async (_, ofNode, expected) => {
  setTimeOfAnAddress(ofNode);
  expect(await runHere(['--version'], { folder: tmpdir() })).toMatchObject({ code: 0 });
  expect(timeOfAnAddress()).toBe(expected);
});
