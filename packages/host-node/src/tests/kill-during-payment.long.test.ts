// Heavy: hosts as processes are killed in a payment and started again, on two databases.

import { getBase64Encoder, getSignatureFromTransaction, getTransactionDecoder } from '@solana/kit';
import { ConnectionError } from '@subrail/core/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { subscribeWallet } from '../command/sandbox/wallet-signs.js';
import { untilPaid } from './kill/attempts.js';
import { ENGINES } from './kill/engines.js';
import { listEvents, createKillableHost, type KillableHost } from './kill/killable-host.js';

// Slow, because only a child process can be killed, and each test starts two. Nothing sleeps: the tests wait
// for calls that the proxy sees and answers that the host gives.
vi.setConfig({ testTimeout: 200_000 });

const PERIOD_SECONDS = 720 * 3_600;

let host: KillableHost;
function firstPayment() {
  return subscribeWallet(host.client, host.keys.wallet, {
    plan: host.project.plan.slug,
    external_id: 'customer-1',
  });
}

/** Waits for `count` settled payments, moves time until no transaction can land, and waits for the worker. */
async function untilSettled(id: string, count: number): Promise<void> {
  await untilPaid(host.client, id, count);
  host.chain.advance({ seconds: 180 });
  await host.proxy.answered('getEpochInfo', 3);
}

/**
 * The signature of the transaction that a held call sends or asks about. It is stored, so it must be the one
 * that pays.
 */
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
  const price = host.project.plan.amount;
  expect(await host.received()).toBe(price * BigInt(periods));
  const { data, paid } = await host.client.subscriptions.attempts(id);
  expect(paid).toEqual({ count: periods, amount: String(price * BigInt(periods)) });
  expect(data.map(({ outcome }) => outcome)).toEqual(Array.from({ length: periods }, () => 'paid'));
  expect(await listEvents(host.client)).toEqual(events);
}

describe.each(ENGINES)('on %s', (engine) => {
  beforeEach(async () => {
    host = await createKillableHost(engine);
  });
  afterEach(() => host.close());

  test.each([
    // No worker has claimed the row, and the stored transaction can be sent for half a minute.
    {
      when: 'after its transaction is stored and before it is sent',
      method: 'sendTransaction',
      where: 'call',
      leaseSeconds: 0,
    },
    // The killed worker had claimed the row to resolve its transfer: it is due again when the lease ends.
    {
      when: 'after it is sent and before it is settled',
      method: 'getSignatureStatuses',
      where: 'answer',
      leaseSeconds: 60,
    },
  ] as const)(
    'makes a charge exactly once when the host is killed $when',
    async ({ method, where, leaseSeconds }) => {
      await host.start();
      const { id } = await firstPayment();
      const hold = host.proxy.hold(method, where);
      host.chain.advance({ seconds: PERIOD_SECONDS });
      const stored = signatureIn(await hold.reached);
      await host.kill();
      const movedBefore = where === 'answer' ? 2n : 1n;
      expect(await host.received()).toBe(movedBefore * host.project.plan.amount);

      hold.lift();
      await host.start();
      host.chain.advance({ seconds: leaseSeconds });
      await untilSettled(id, 2);
      // Two events, older than 30 days, are not listed (events#available-since) but counted by the sequence.
      await expectPaidOnce({ id, periods: 2, events: ['3 renewed'] });
      expect((await host.client.subscriptions.attempts(id)).data[0]?.signature).toBe(stored);
    },
  );

  test.each([
    ['after it is stored and before it is sent', 'sendTransaction', 'call'],
    ['after it is sent and before it is known to have landed', 'getSignatureStatuses', 'answer'],
  ] as const)(
    'takes a first payment exactly once when the host is killed during its submit, %s',
    async (_, method, where) => {
      await host.start();
      const hold = host.proxy.hold(method, where);
      const submit = firstPayment();
      const failed = expect(submit).rejects.toThrow(ConnectionError);
      const stored = signatureIn(await hold.reached);
      await host.kill();
      await failed;
      expect(await host.received()).toBe(where === 'answer' ? host.project.plan.amount : 0n);

      hold.lift();
      await host.start();
      const { data } = await host.client.subscriptions.list({ wallet: host.keys.wallet.address });
      expect(data).toHaveLength(1);
      const id = data[0]?.id ?? '';
      await untilSettled(id, 1);
      await expectPaidOnce({ id, periods: 1, events: ['1 created', '2 access_granted'] });
      expect((await host.client.subscriptions.attempts(id)).data[0]?.signature).toBe(stored);
    },
  );
});
