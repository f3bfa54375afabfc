import { loadavg } from 'node:os';
import { generateKeyPairSigner, type RpcTransport } from '@solana/kit';
import { createBilling } from '@subrail/core';
import type { ChargeTarget, Clock } from '@subrail/core/ports';
import { RecordingSender, aCommit, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { localnetTransport } from '@subrail/localnet';
import { createMemoryStore } from '../src/memory/index.js';
import { createSolanaChain } from '../src/solana/index.js';
import { charger, untimed } from '../src/solana/tests/chain-on.js';
import { HOUR, LocalWorld, PRICE, receiver } from '../src/solana/tests/local-world.js';
import { createWebCrypto, createWebRandom } from '../src/web/index.js';

// Counts the RPC calls and lamports that charges cost on the local chain, from the claim of a due
// subscription to its settled payment, with and without packing. No figure fails the run.
//
// `npm run bench charge-cost [due]` takes 1,000 due subscriptions by default, of them at most 200 without
// packing.

const CALLS_AIM = 0.1;
const FEE_OF_ONE = 5_000;
const LAMPORTS_AIM = 0.25 * FEE_OF_ONE;
/** How far time moves between passes: far enough that each transfer is looked up again. */
const BETWEEN_PASSES_SECONDS = 10;
/** Enough for a charge whose transaction was lost three times in a row, which is blocked for ten minutes. */
const MOST_PASSES = 120;
/** The most charges without packing: of more, the local chain loses too many for these passes to pay all. */
const MOST_UNPACKED = 200;

const count = Number(process.argv[2] ?? 1_000);
if (!Number.isInteger(count) || count < 1)
  throw new RangeError('The number of due subscriptions must be 1 or more.');
console.log(`${count} due on the local chain. Load average: ${loadavg()[0]?.toFixed(1)}.`);
await costOf(true, count);
await costOf(false, Math.min(count, MOST_UNPACKED));

async function costOf(packing: boolean, count: number): Promise<void> {
  const world = await LocalWorld.open();
  const targets: ChargeTarget[] = [];
  for (let made = 0; made < count; made += 1)
    targets.push(await world.subscribe(await generateKeyPairSigner()));
  const { store, plan } = await recorded(world, targets);
  world.net.advance({ seconds: HOUR });

  const calls = new Map<string, number>();
  const local = localnetTransport(world.net);
  const counted: RpcTransport = (request) => {
    const { method } = request.payload as { readonly method: string };
    calls.set(method, (calls.get(method) ?? 0) + 1);
    return local(request);
  };
  const time = untimed(() => world.net.now());
  const clock: Clock = time.clock;
  const billing = createBilling({
    store,
    clock,
    chain: createSolanaChain({ rpc: counted, charger, network: 'devnet', packing, ...time }),
    random: createWebRandom(),
    crypto: createWebCrypto(new Uint8Array(32)),
    sender: new RecordingSender(),
  });
  const before = world.net.getAccount(charger.address)?.lamports ?? 0n;
  let passes = 0;
  for (; passes < MOST_PASSES; passes += 1) {
    await billing.worker.charge();
    // Not the next wake: the daily reads of the chain wake subscriptions too.
    const due = await Promise.all(targets.map(({ wallet }) => store.listByWalletAndPlan(plan.id, wallet)));
    const now = world.net.now();
    if (due.flat().every(({ paidPeriodEnd }) => paidPeriodEnd !== null && paidPeriodEnd > now)) break;
    world.net.advance({ seconds: BETWEEN_PASSES_SECONDS });
  }
  const spent = Number(before - (world.net.getAccount(charger.address)?.lamports ?? 0n));
  const paid = Number((await world.balance(receiver.address)) / plan.amount) - count;
  if (paid !== count) throw new Error(`Of ${count} due charges ${paid} were paid.`);

  const made = [...calls.values()].reduce((sum, times) => sum + times, 0);
  console.log(`${count} ${packing ? 'with packing:' : 'without packing:'}`);
  console.log(
    `  ${(made / count).toFixed(3)} RPC calls a charge (aim ${CALLS_AIM}), in ${passes + 1} passes`,
  );
  for (const [method, times] of [...calls].toSorted(([, a], [, b]) => b - a))
    console.log(`    ${method.padEnd(34)} ${String(times).padStart(6)}  ${(times / count).toFixed(3)}`);
  console.log(`  ${(spent / count).toFixed(0)} lamports a charge (aim ${LAMPORTS_AIM})`);
}

/** A store with the records of these subscriptions, which have paid their first period. */
async function recorded(world: LocalWorld, targets: readonly ChargeTarget[]) {
  const store = createMemoryStore();
  const project = aProject();
  const { address, owner, number, createdAt, mint, tokenProgram, periodHours } = world.plan;
  const plan = aPlan({
    ...{ projectId: project.id, address, owner, number, mint, tokenProgram, periodHours },
    amount: PRICE,
    createdOnChainAt: createdAt,
    destinations: [receiver.address],
  });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const views = await world.chain.readCharges(targets, 'confirmed');
  for (const [index, { wallet }] of targets.entries()) {
    const view = views[index];
    if (!view?.ok || view.value.subscription === null) throw new Error('A subscription is not on chain.');
    const { generation, planCreatedAt, periodStart } = view.value.subscription;
    const paidUntil = new Date(periodStart.getTime() + periodHours * 3_600_000);
    const subscription = aSubscription({
      ...{ projectId: project.id, planId: plan.id, wallet },
      address: await world.chain.subscriptionAddress(address, wallet),
      incarnation: { generation, planCreatedAt, anchor: periodStart },
      ...{ paidPeriodStart: periodStart, paidPeriodEnd: paidUntil, nextTryAt: paidUntil, wakeAt: paidUntil },
      paidAmount: PRICE,
    });
    await store.commit([aCommit(subscription)]);
  }
  return { store, plan };
}
