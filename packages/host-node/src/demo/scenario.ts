import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { changeAsWallet, subscribeWallet } from '../command/sandbox/wallet-signs.js';
import { mintTo, sendTokens } from '@subrail/localnet';
import {
  dUsd,
  passDays,
  printBalances,
  readBalances,
  runWorkerLonger,
  waitForEvents,
  type DemoContext,
} from './demo-context.js';

/** The facts of a played scenario, for the check of its result. */
export interface ScenarioResult {
  readonly subscriptionIds: readonly string[];
  /** All tokens that the wallet was given. */
  readonly funded: bigint;
  /** The tokens that the wallet sent away, other than its payments. */
  readonly sentAway: bigint;
}

/**
 * Plays the lives of two subscriptions of one wallet. The first is paid, renewed, misses a payment, recovers,
 * stops, and is cancelled and closed. The second is cancelled, resumed, cancelled again, and ends.
 */
export async function runScenario(context: DemoContext): Promise<ScenarioResult> {
  const { printer, client, project, wallet } = context;
  const initialBalance = (await readBalances(context)).wallet;
  const otherWallet = await generateKeyPairSigner();
  await mintTo(context.rpc, project.token, otherWallet.address, 0n);

  printer.heading('1. A wallet subscribes');
  printer.line(
    `The plan "${project.plan.name}" costs ${dUsd(project.plan.amount)} every 30 days. The wallet signs these terms:`,
  );
  const checkout = { plan: project.plan.slug, external_id: 'customer-1' };
  const { id } = await subscribeWallet(client, wallet, checkout, (terms) => {
    for (const line of terms.split('\n')) printer.quote(line);
  });
  await waitForEvents(context, 2);
  await printBalances(context);

  printer.heading('2. A month passes');
  passDays(context, 30, 'Thirty days later the service charges the wallet again.');
  await waitForEvents(context, 3);
  await printBalances(context);

  printer.heading('3. A charge fails on an empty wallet, and a retry pays');
  const sentAway = await emptyWallet(context, otherWallet);
  passDays(context, 30, 'The next charge fails.');
  await waitForEvents(context, 4);
  await mintTo(context.rpc, project.token, wallet.address, project.plan.amount);
  printer.line(`The wallet is refilled with ${dUsd(project.plan.amount)}.`);
  passDays(context, 1, 'A day later the first retry pays; access was never lost.');
  await waitForEvents(context, 5);
  await printBalances(context);

  printer.heading('4. The wallet stays empty, and the subscription stops');
  passDays(context, 29, 'The next charge fails again.');
  await waitForEvents(context, 6);
  for (const [retry, events] of [
    ['first', 7],
    ['second', 8],
    ['last', 11],
  ] as const) {
    passDays(context, 1, `The ${retry} retry fails.`);
    await waitForEvents(context, events);
  }

  printer.heading('5. The wallet cancels it, and closes it to get its deposit back');
  await act(context, id, 'cancel', 'It lost its access already, so nothing else changes.');
  await waitForEvents(context, 12);
  passDays(context, 27, 'The month that was not paid is over.');
  await act(context, id, 'close', 'The wallet has its deposit back, and may subscribe again.');
  await waitForEvents(context, 13);

  printer.heading('6. The customer subscribes again, cancels, and resumes');
  await mintTo(context.rpc, project.token, wallet.address, project.plan.amount);
  printer.line(`The wallet is refilled with ${dUsd(project.plan.amount)}.`);
  const { id: secondId } = await subscribeWallet(client, wallet, checkout);
  await waitForEvents(context, 15);
  await act(context, secondId, 'cancel', 'Access lasts to the end of what is paid.');
  await waitForEvents(context, 16);
  await act(context, secondId, 'resume', 'The subscription goes on as if nothing had happened.');
  await waitForEvents(context, 17);

  printer.heading('7. A cancellation ends the subscription');
  await act(context, secondId, 'cancel', 'This time it stays cancelled.');
  await waitForEvents(context, 18);
  passDays(context, 30, 'The paid month is over, and nothing is charged.');
  await waitForEvents(context, 20);
  await runWorkerLonger(context);
  await printBalances(context);
  const funded = initialBalance + 2n * project.plan.amount;
  return { subscriptionIds: [id, secondId], funded, sentAway };
}

/** The wallet cancels, resumes or closes a subscription. Prints what that means. */
async function act(
  context: DemoContext,
  id: string,
  action: 'cancel' | 'resume' | 'close',
  text: string,
): Promise<void> {
  await changeAsWallet(context.client, context.rpc, context.wallet, { id, action });
  context.printer.line(`The wallet signs and sends a ${action}. ${text}`);
}

/** Sends all the wallet's tokens to another wallet. @returns how many it sent */
async function emptyWallet(context: DemoContext, otherWallet: KeyPairSigner): Promise<bigint> {
  const { wallet: amount } = await readBalances(context);
  await sendTokens(context.rpc, context.project.token, context.wallet, otherWallet.address, amount);
  context.printer.line(`The wallet sends its ${dUsd(amount)} to another wallet.`);
  return amount;
}
