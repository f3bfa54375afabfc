import type { KeyPairSigner } from '@solana/kit';
import type { Billing } from '@subrail/core';
import type { Client } from '@subrail/core/client';
import type { WebhookEvent } from '@subrail/core/webhooks';
import { tokenBalanceOf } from '@subrail/localnet';
import type { DemoProject, DevelopmentRpc } from '../local/demo-project.js';
import { DEMO_TOKEN } from '../local/demo-token.js';
import type { LocalChain } from '../local/local-chain.js';
import { formatAmount } from './format-amount.js';
import type { Printer } from './printer.js';
import type { WebhookReceiver } from './webhook-receiver.js';

export interface DemoContext {
  readonly printer: Printer;
  readonly client: Client;
  readonly worker: Billing['worker'];
  readonly receiver: WebhookReceiver;
  readonly chain: LocalChain;
  readonly rpc: DevelopmentRpc;
  readonly project: DemoProject;
  /** The customer's wallet. */
  readonly wallet: KeyPairSigner;
  /** The plan's owner, who receives the payments. */
  readonly owner: KeyPairSigner;
}

/** The most worker runs before the wait for events is given up: expected events arrive after a few. */
const MAX_RUNS = 200;
const EXTRA_RUNS = 20;

/**
 * Runs the worker, with a second of chain time between runs, until the receiver has `count` events in all.
 * Then prints the new ones in order.
 */
export async function waitForEvents(context: DemoContext, count: number): Promise<void> {
  const { printer, receiver } = context;
  const before = receiver.events.length;
  for (let runs = 0; receiver.events.length < count; runs += 1) {
    if (runs === MAX_RUNS) {
      throw new Error(`Expected ${count} events, but only ${receiver.events.length} arrived.`);
    }
    await runWorkerOnce(context);
  }
  for (const event of inOrder(receiver.events.slice(before))) {
    printer.webhook(event.sequence ?? 0, nameOf(event), summaryOf(event));
  }
}

/** Runs the worker some more, so that an unexpected event arrives before the check of the result. */
export async function runWorkerLonger(context: DemoContext): Promise<void> {
  for (let runs = 0; runs < EXTRA_RUNS; runs += 1) await runWorkerOnce(context);
}

async function runWorkerOnce({ worker, chain }: DemoContext): Promise<void> {
  await worker.charge();
  await worker.deliver();
  chain.localnet.advance({ seconds: 1 });
}

/** Sorts events of one subscription by sequence, because deliveries may arrive in any order. */
export function inOrder(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  return [...events].sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
}

/** An event's type without its `subscription.` prefix. */
export function nameOf({ type }: WebhookEvent): string {
  return type.replace('subscription.', '');
}

function summaryOf(event: WebhookEvent): string {
  const { status, access } = event.data;
  return [`status ${status}, access ${access ? 'yes' : 'no'}`, ...detailsOf(event)].join(', ');
}

function detailsOf(event: WebhookEvent): readonly string[] {
  if (event.type === 'subscription.stopped') return [`reason ${event.detail.reason}`];
  if (event.type === 'subscription.ended') return [`reason ${event.data.end_reason}`];
  if (event.type !== 'subscription.payment_failed') return [];
  const { reason, next_retry_at: nextRetry } = event.detail;
  return [`reason ${reason}`, ...(nextRetry === null ? [] : [`next retry ${nextRetry.slice(0, 10)}`])];
}

/** Moves the chain's time ahead, and with it the service's. Prints `text` and the new date. */
export function passDays({ printer, chain }: DemoContext, days: number, text: string): void {
  chain.localnet.advance({ seconds: days * 86_400 });
  printer.line(`${text} It is ${chain.localnet.now().toISOString().slice(0, 10)}.`);
}

/** Formats an amount of the demo token. */
export function dUsd(amount: bigint): string {
  return formatAmount(amount, DEMO_TOKEN);
}

/** The balances of the customer's wallet and of the plan's owner on chain. */
export async function readBalances({
  rpc,
  project,
  wallet,
  owner,
}: DemoContext): Promise<{ wallet: bigint; owner: bigint }> {
  const [walletBalance, ownerBalance] = await Promise.all(
    [wallet, owner].map(({ address }) => tokenBalanceOf(rpc, project.token, address)),
  );
  return { wallet: walletBalance ?? 0n, owner: ownerBalance ?? 0n };
}

export async function printBalances(context: DemoContext): Promise<void> {
  const { wallet, owner } = await readBalances(context);
  context.printer.line(`On chain the wallet has ${dUsd(wallet)} and the plan's owner ${dUsd(owner)}.`);
}
