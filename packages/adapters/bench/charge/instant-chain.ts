import { setTimeout as wait } from 'node:timers/promises';
import type { Chain, ChargeTarget, ChargeView, Clock } from '@subrail/core/ports';
import { MADE_AT, aSignature, partialPort } from '@subrail/core/testing';

/** The address of the charger on this chain. */
const CHARGER = 'ChargerThatPaysTheFeesOfEveryChargexxxxxxxxx';

/**
 * A chain on which every wallet can pay and every charge lands. Calls answer after `latencyMs` and take
 * hardly any processor time, so a bench measures the service.
 */
export function createInstantChain(clock: Clock, latencyMs: number): Chain {
  const answer = async <T>(value: T): Promise<T> => {
    if (latencyMs > 0) await wait(latencyMs);
    return value;
  };
  return partialPort<Chain>({
    network: 'devnet',
    charger: CHARGER,
    readGenesis: () => answer({ ok: true, value: { hash: 'genesis', network: 'devnet' } }),
    head: () => answer({ ok: true, value: { slot: 1n, blockHeight: 1n, time: clock.now() } }),
    readCharger: () => answer({ ok: true, value: { balance: 0n, chargeFee: 0n, charges: 1_000_000n } }),
    servers: () => ({ servers: [], hostClockAheadSeconds: null }),
    readCharges: (targets) =>
      answer(targets.map((target) => ({ ok: true, value: viewOf(target, clock.now()) }))),
    signCharges: (orders) =>
      answer({
        ok: true,
        value: orders.map(() => ({
          signature: aSignature(),
          wire: 'AQID',
          lastValidBlockHeight: 300n,
          paymentIndex: 0,
        })),
      }),
    send: (transactions) => answer(transactions.map(() => ({ kind: 'sent' }))),
    resolve: (queries) =>
      answer(queries.map(() => ({ kind: 'landed', slot: 1n, time: clock.now(), received: null }))),
  });
}

/** What a read shows of a subscription that was paid for its first period only. */
function viewOf({ plan, wallet }: ChargeTarget, time: Date): ChargeView {
  const { owner, mint, amount, periodHours, createdAt, receiver, tokenProgram } = plan;
  const authority = `authority of ${wallet}`;
  return {
    slot: 1n,
    time,
    plan: {
      owner,
      mint,
      amount,
      periodHours,
      createdAt,
      endsAt: null,
      sunset: false,
      destinations: [],
      pullers: [CHARGER],
    },
    subscription: {
      generation: 1n,
      planCreatedAt: createdAt,
      payer: wallet,
      amount,
      periodHours,
      periodStart: MADE_AT,
      pulled: amount,
      expiresAt: null,
    },
    authority: { address: authority, generation: 1n },
    source: {
      owner: wallet,
      balance: amount,
      frozen: false,
      guarded: false,
      delegate: authority,
      delegatedAmount: amount,
    },
    receiver: {
      address: `token account of ${receiver}`,
      owner: receiver,
      frozen: false,
      needsMemo: false,
      confidentialOnly: false,
    },
    mint: { tokenProgram, decimals: 6, paused: false, transferable: true, hookProgram: null },
  };
}
