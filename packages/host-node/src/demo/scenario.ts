import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { mintTo, sendTokens } from '../local/token.js';
import {
  dUsd,
  waitForEvents,
  balances,
  passDays,
  runExtraPasses,
  showBalances,
  type DemoContext,
} from './demo-context.js';
import { subscribe } from './subscribe.js';

/** What came of the story, for the ledger to be checked against. */
export interface ScenarioResult {
  readonly subscriptionId: string;
  /** Tokens the wallet was given, and gave away, besides its payments. */
  readonly given: bigint;
  readonly sentAway: bigint;
}

/** A subscription's life: paid, renewed, missed, recovered, dry. */
export async function runScenario(stage: DemoContext): Promise<ScenarioResult> {
  const { narrator, api, world, wallet } = stage;
  const purse = (await balances(stage)).wallet;
  const elsewhere = await generateKeyPairSigner();
  await mintTo(stage.rpc, world.token, elsewhere.address, 0n);

  narrator.chapter('1. A wallet subscribes');
  narrator.line(
    `The plan "${world.plan.name}" costs ${dUsd(world.plan.amount)} every 30 days. These terms are signed:`,
  );
  const { id } = await subscribe(api, world.plan.slug, wallet, {
    terms: (message) => {
      for (const line of message.split('\n')) narrator.quote(line);
    },
  });
  await waitForEvents(stage, 2);
  await showBalances(stage);

  narrator.chapter('2. A month passes');
  passDays(stage, 30, 'Thirty days later the service charges by itself.');
  await waitForEvents(stage, 3);
  await showBalances(stage);

  narrator.chapter('3. The wallet is emptied, and a charge misses');
  const sentAway = await empty(stage, elsewhere);
  passDays(stage, 30, 'The next charge finds nothing.');
  await waitForEvents(stage, 4);
  await mintTo(stage.rpc, world.token, wallet.address, world.plan.amount);
  narrator.line(`The wallet is refilled with ${dUsd(world.plan.amount)}.`);
  passDays(stage, 1, 'A day later the first retry pays; access never stopped.');
  await waitForEvents(stage, 5);
  await showBalances(stage);

  narrator.chapter('4. The wallet runs dry');
  passDays(stage, 29, 'Nobody refills it, and the charge misses again.');
  await waitForEvents(stage, 6);
  for (const [retry, heard] of [
    ['first', 7],
    ['second', 8],
    ['last', 11],
  ] as const) {
    passDays(stage, 1, `The ${retry} retry misses.`);
    await waitForEvents(stage, heard);
  }
  await runExtraPasses(stage);
  await showBalances(stage);
  return { subscriptionId: id, given: purse + world.plan.amount, sentAway };
}

/** The wallet sends all it holds elsewhere. @returns how much that was */
async function empty(stage: DemoContext, elsewhere: KeyPairSigner): Promise<bigint> {
  const { wallet: amount } = await balances(stage);
  await sendTokens(stage.rpc, stage.world.token, stage.wallet, elsewhere.address, amount);
  stage.narrator.line(`The wallet sends its ${dUsd(amount)} elsewhere.`);
  return amount;
}
