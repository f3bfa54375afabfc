import { createBilling } from '@subrail/core';
import type { Chain, HttpSender } from '@subrail/core/ports';
import { partialPort } from '@subrail/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../clock/index.js';
import { createMemoryStore } from '../memory/index.js';
import { createWebCrypto, createWebRandom } from '../web-crypto/index.js';

const NOON = new Date('2026-01-01T12:00:00.000Z');
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const openBilling = () =>
  createBilling({
    store: createMemoryStore(),
    chain: partialPort<Chain>({ network: 'devnet' }),
    clock: createClock(),
    random: createWebRandom(),
    crypto: createWebCrypto(new Uint8Array(32).fill(7)),
    sender: partialPort<HttpSender>({}),
  });

describe('the service on a machine whose time is set back by an hour', () => {
  it('dates no record before the one that precedes it', async () => {
    const billing = openBilling();
    const { id } = await billing.projects.create({ name: 'Shop' });
    const { endpoints } = billing.project(id);
    const create = (path: string) =>
      endpoints.create({ url: `https://shop.example.com/${path}`, types: ['subscription.renewed'] });
    const first = await create('first');
    vi.setSystemTime(NOON.getTime() - 60 * MINUTE);
    vi.advanceTimersByTime(10 * MINUTE);
    const second = await create('second');
    expect([first.created_at, second.created_at]).toEqual([
      '2026-01-01T12:00:00.000Z',
      '2026-01-01T12:05:00.000Z',
    ]);
  });

  it('ends a window of the rate limit after twice its time at most', async () => {
    const { handler } = openBilling();
    const status = async () => (await handler(new Request('https://billing.example/v1/plans'))).status;
    for (let calls = 0; calls < 120; calls += 1) expect(await status()).toBe(401);
    expect(await status()).toBe(429);
    vi.setSystemTime(NOON.getTime() - 60 * MINUTE);
    expect(await status()).toBe(429);
    vi.advanceTimersByTime(2 * MINUTE);
    expect(await status()).toBe(401);
  });
});
