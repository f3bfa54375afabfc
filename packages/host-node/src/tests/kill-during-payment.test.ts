import { getBase64Encoder, getSignatureFromTransaction, getTransactionDecoder } from '@solana/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { subscribe } from '../demo/subscribe.js';
import { listAttempts, untilPaid } from './kill/attempts.js';
import { listEvents, createKillableHost, type KillableHost } from './kill/killable-host.js';

// Slower than tests should be: a host has to be a process of its own to be killed, and each of these starts two of them.
// Nothing sleeps: the tests wait for calls their proxy sees and for answers the host gives.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PERIOD_SECONDS = 720 * 3_600;

let stage: KillableHost;
beforeEach(async () => {
  stage = await createKillableHost();
});
afterEach(() => stage.close());

function firstPayment() {
  return subscribe(stage.api, stage.world.plan.slug, stage.keys.wallet, { terms: () => {} });
}

/** Waits until the worker settled `count` payments, then lets it come by again long after anything it sent could land. */
async function settled(id: string, count: number): Promise<void> {
  await untilPaid(stage.api, id, count);
  stage.chain.advance({ seconds: 180 });
  await stage.proxy.answered('getEpochInfo', 3);
}

/** The signature of the transaction a held call sends or asks about: what was stored, and what has to be what paid. */
function signatureIn([first]: readonly unknown[]): string {
  if (Array.isArray(first)) return String(first[0]);
  const wire = getBase64Encoder().encode(String(first));
  return getSignatureFromTransaction(getTransactionDecoder().decode(wire));
}

async function expectPaidOnce({
  id,
  periods,
  events,
}: {
  id: string;
  periods: number;
  events: readonly string[];
}) {
  const price = stage.world.plan.amount;
  expect(await stage.received()).toBe(price * BigInt(periods));
  const { data, paid } = await listAttempts(stage.api, id);
  expect(paid).toEqual({ count: periods, amount: String(price * BigInt(periods)) });
  expect(data.map(({ outcome }) => outcome)).toEqual(Array.from({ length: periods }, () => 'paid'));
  expect(await listEvents(stage.api)).toEqual(events);
}

test.each([
  // Nobody had claimed the row, and the stored transaction has half a minute left to be sent in.
  {
    when: 'after its intent is stored and before it is sent',
    method: 'sendTransaction',
    where: 'call',
    leaseSeconds: 0,
  },
  // The worker that died had claimed the row to look at its transfer: it comes back when the lease ends.
  {
    when: 'after it is sent and before it is settled',
    method: 'getSignatureStatuses',
    where: 'answer',
    leaseSeconds: 60,
  },
] as const)(
  'a charge whose host is killed $when is made exactly once',
  async ({ method, where, leaseSeconds }) => {
    await stage.start();
    const { id } = await firstPayment();
    const hold = stage.proxy.hold(method, where);
    stage.chain.advance({ seconds: PERIOD_SECONDS });
    const stored = signatureIn(await hold.reached);
    await stage.kill();
    const movedBefore = where === 'answer' ? 2n : 1n;
    expect(await stage.received()).toBe(movedBefore * stage.world.plan.amount);

    hold.lift();
    await stage.start();
    stage.chain.advance({ seconds: leaseSeconds });
    await settled(id, 2);
    // The two events before are older than what the list serves (events#events-list-parameters), the sequence counts them.
    await expectPaidOnce({ id, periods: 2, events: ['3 renewed'] });
    expect((await listAttempts(stage.api, id)).data[0]?.signature).toBe(stored);
  },
);

test.each([
  ['before it is sent', 'sendTransaction', 'call'],
  ['before it is seen to land', 'getSignatureStatuses', 'answer'],
] as const)(
  'a host killed during a submit, with the first payment stored and %s, takes it exactly once',
  async (_, method, where) => {
    await stage.start();
    const hold = stage.proxy.hold(method, where);
    const submit = firstPayment();
    const cutOff = expect(submit).rejects.toThrow('fetch failed');
    const stored = signatureIn(await hold.reached);
    await stage.kill();
    await cutOff;
    expect(await stage.received()).toBe(where === 'answer' ? stage.world.plan.amount : 0n);

    hold.lift();
    await stage.start();
    const { data } = (await stage.api.get(`/subscriptions?wallet=${stage.keys.wallet.address}`)) as {
      data: readonly { id: string }[];
    };
    expect(data).toHaveLength(1);
    const id = data[0]?.id ?? '';
    await settled(id, 1);
    await expectPaidOnce({ id, periods: 1, events: ['1 created', '2 access_granted'] });
    expect((await listAttempts(stage.api, id)).data[0]?.signature).toBe(stored);
  },
);
