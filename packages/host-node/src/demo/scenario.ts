import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { mintTo, sendTokens } from '../local/token.js';
import {
  dUsd,
  passDays,
  printBalances,
  readBalances,
  runWorkerLonger,
  waitForEvents,
  type DemoContext,
} from './demo-context.js';
import { subscribe } from './subscribe.js';

/** What the scenario did, for checking the result. */
export interface ScenarioResult {
  readonly subscriptionId: string;
  /** All tokens that the wallet was given. */
  readonly given: bigint;
  /** The tokens that the wallet sent away, other than its payments. */
  readonly sentAway: bigint;
}

/** Plays the life of a subscription: it is paid, renewed, misses a payment, recovers, and stops. */
export async function runScenario(context: DemoContext): Promise<ScenarioResult> {
  const { printer, api, project, wallet } = context;
  const initialBalance = (await readBalances(context)).wallet;
  const otherWallet = await generateKeyPairSigner();
  await mintTo(context.rpc, project.token, otherWallet.address, 0n);

  printer.heading('1. A wallet subscribes');
  printer.line(
    `The plan "${project.plan.name}" costs ${dUsd(project.plan.amount)} every 30 days. The wallet signs these terms:`,
  );
  const { id } = await subscribe(api, project.plan.slug, wallet, (terms) => {
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
  await runWorkerLonger(context);
  await printBalances(context);
  return { subscriptionId: id, given: initialBalance + project.plan.amount, sentAway };
}

/** Sends all the wallet's tokens to another wallet. @returns how many it sent */
async function emptyWallet(context: DemoContext, otherWallet: KeyPairSigner): Promise<bigint> {
  const { wallet: amount } = await readBalances(context);
  await sendTokens(context.rpc, context.project.token, context.wallet, otherWallet.address, amount);
  context.printer.line(`The wallet sends its ${dUsd(amount)} to another wallet.`);
  return amount;
}
