import type { KeyPairSigner } from '@solana/kit';
import type { Billing, EventWire } from '@subrail/core';
import { DEMO_TOKEN, type DemoProject, type DevelopmentRpc } from '../local/demo-project.js';
import type { LocalChain } from '../local/local-chain.js';
import { tokenBalanceOf } from '../local/token.js';
import { formatAmount } from './format-amount.js';
import type { Api } from './api.js';
import type { Printer } from './printer.js';
import type { WebhookReceiver } from './webhook-receiver.js';

/** Everything and everybody the story needs. */
export interface DemoContext {
  readonly narrator: Printer;
  readonly api: Api;
  readonly worker: Billing['worker'];
  readonly receiver: WebhookReceiver;
  readonly local: LocalChain;
  readonly rpc: DevelopmentRpc;
  readonly world: DemoProject;
  readonly wallet: KeyPairSigner;
  readonly owner: KeyPairSigner;
}

/** Work that should have come to an end long before. */
const MOST_PASSES = 200;
const PASSES_TO_SETTLE = 20;

/**
 * Lets the worker work, a second of chain time after the other, until the receiver has heard `count` events in all; then
 * reads the new ones out in order.
 */
export async function waitForEvents(stage: DemoContext, count: number): Promise<void> {
  const { narrator, receiver } = stage;
  const before = receiver.notices.length;
  for (let passes = 0; receiver.notices.length < count; passes += 1) {
    if (passes === MOST_PASSES) {
      throw new Error(`${count} events were awaited, ${receiver.notices.length} came.`);
    }
    await work(stage);
  }
  for (const event of inOrder(receiver.notices.slice(before))) {
    narrator.heard(event.sequence ?? 0, nameOf(event), gist(event));
  }
}

/** Goes on long enough for anything to show that should not have come. */
export async function runExtraPasses(stage: DemoContext): Promise<void> {
  for (let passes = 0; passes < PASSES_TO_SETTLE; passes += 1) await work(stage);
}

async function work({ worker, local }: DemoContext): Promise<void> {
  await worker.charge();
  await worker.deliver();
  local.chain.advance({ seconds: 1 });
}

/** By sequence: deliveries may arrive in any order (contract, Ordering rules). */
export function inOrder(events: readonly EventWire[]): readonly EventWire[] {
  return [...events].sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
}

export function nameOf({ type }: EventWire): string {
  return type.replace('subscription.', '');
}

function gist({ data, detail }: EventWire): string {
  const { reason, next_retry_at: nextRetry } = detail;
  return [
    `status ${data.status}, access ${data.access ? 'yes' : 'no'}`,
    ...(typeof reason === 'string' ? [`reason ${reason}`] : []),
    ...(typeof nextRetry === 'string' ? [`next retry ${nextRetry.slice(0, 10)}`] : []),
  ].join(', ');
}

/** Moves the chain's time, and with it everything. */
export function passDays({ narrator, local }: DemoContext, days: number, text: string): void {
  local.chain.advance({ seconds: days * 86_400 });
  narrator.line(`${text} It is ${local.chain.now().toISOString().slice(0, 10)}.`);
}

export function dUsd(amount: bigint): string {
  return formatAmount(amount, DEMO_TOKEN);
}

/** What the customer's wallet and the plan's owner hold. */
export async function balances({
  rpc,
  world,
  wallet,
  owner,
}: DemoContext): Promise<{ wallet: bigint; owner: bigint }> {
  const [walletHolds, ownerHolds] = await Promise.all(
    [wallet, owner].map(({ address }) => tokenBalanceOf(rpc, world.token, address)),
  );
  return { wallet: walletHolds ?? 0n, owner: ownerHolds ?? 0n };
}

export async function showBalances(stage: DemoContext): Promise<void> {
  const { wallet, owner } = await balances(stage);
  stage.narrator.line(`On chain the wallet holds ${dUsd(wallet)} and the plan's owner ${dUsd(owner)}.`);
}
