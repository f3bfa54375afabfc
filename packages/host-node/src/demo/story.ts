import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { mintTo, sendTokens } from '../local/token.js';
import { dUsd, hear, holdings, pass, settle, showHoldings, type Stage } from './stage.js';
import { subscribe } from './subscribe.js';

/** What came of the story, for the ledger to be checked against. */
export interface Told {
  readonly subscriptionId: string;
  /** Tokens the wallet was given, and gave away, besides its payments. */
  readonly given: bigint;
  readonly sentAway: bigint;
}

/** A subscription's life: paid, renewed, missed, recovered, dry. */
export async function tell(stage: Stage): Promise<Told> {
  const { narrator, api, world, wallet } = stage;
  const purse = (await holdings(stage)).wallet;
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
  await hear(stage, 2);
  await showHoldings(stage);

  narrator.chapter('2. A month passes');
  pass(stage, 30, 'Thirty days later the service charges by itself.');
  await hear(stage, 3);
  await showHoldings(stage);

  narrator.chapter('3. The wallet is emptied, and a charge misses');
  const sentAway = await empty(stage, elsewhere);
  pass(stage, 30, 'The next charge finds nothing.');
  await hear(stage, 4);
  await mintTo(stage.rpc, world.token, wallet.address, world.plan.amount);
  narrator.line(`The wallet is refilled with ${dUsd(world.plan.amount)}.`);
  pass(stage, 1, 'A day later the first retry pays; access never stopped.');
  await hear(stage, 5);
  await showHoldings(stage);

  narrator.chapter('4. The wallet runs dry');
  pass(stage, 29, 'Nobody refills it, and the charge misses again.');
  await hear(stage, 6);
  for (const [retry, heard] of [
    ['first', 7],
    ['second', 8],
    ['last', 11],
  ] as const) {
    pass(stage, 1, `The ${retry} retry misses.`);
    await hear(stage, heard);
  }
  await settle(stage);
  await showHoldings(stage);
  return { subscriptionId: id, given: purse + world.plan.amount, sentAway };
}

/** The wallet sends all it holds elsewhere. @returns how much that was */
async function empty(stage: Stage, elsewhere: KeyPairSigner): Promise<bigint> {
  const { wallet: amount } = await holdings(stage);
  await sendTokens(stage.rpc, stage.world.token, stage.wallet, elsewhere.address, amount);
  stage.narrator.line(`The wallet sends its ${dUsd(amount)} elsewhere.`);
  return amount;
}
