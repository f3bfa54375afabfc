import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { getProgramDerivedAddress, isAddress, type Address } from '@solana/kit';
import { createLocalnet, type Localnet } from '../src/index.js';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SUBSCRIPTIONS_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../src/runtime/addresses.js';
import { addressBytes, toAddress } from '../src/runtime/base58.js';
import { packNativeMessage } from '../src/runtime/native-message.js';
import { NativeRuntime } from '../src/runtime/native-runtime.js';
import type { RuntimeInstruction } from '../src/runtime/program.js';
import { decodeTransaction, withBlockhash } from '../src/runtime/transaction.js';
import {
  UNKNOWN_INIT_ID,
  createPlan,
  initAuthority,
  pull,
  subscribe,
  u64,
} from '../src/program/tests/instruction-builders.js';

// Measures how many signups a second the chain processes. A signup is one transaction with the instructions init,
// subscribe and pull: the chain checks its signatures, runs it, stores it in its history and closes its block. What is
// measured is the sending alone: transactions are built and signed in batches before each batch is sent, because a
// blockhash is valid for 150 blocks, and kit derives their addresses, so that none is in the program's cache. For
// comparison it then measures plain token transfers, through the chain and on LiteSVM alone, which checks no signature.
//
// `npm run bench subscribe-and-pull [wallets]` takes 4,000 wallets by default.

const AIM = 1_000;
const WALLETS = Number(process.argv[2] ?? 4_000);
/** How many transactions are built before they are sent. */
const BATCH = 100;
if (!Number.isInteger(WALLETS) || WALLETS < 2 * BATCH)
  throw new RangeError(`The number of wallets must be ${2 * BATCH} or more.`);
const PRICE = 5_000_000n;
const DECIMALS = 6;

interface Key {
  readonly address: Address;
  readonly secret: KeyObject;
}

/** A wallet and the addresses derived from it. */
interface Wallet extends Key {
  readonly tokenAccount: Address;
  readonly authority: Address;
  readonly subscription: Address;
}

interface Rate {
  /** Transactions in a second of wall time. */
  readonly perSecond: number;
  /** Microseconds of CPU time for each, which other load on the machine does not change. */
  readonly cpu: number;
}

/** Runs the benchmark, prints its figures, and returns the signups a second. */
export async function run(): Promise<number> {
  const chain = createLocalnet();
  const [merchant, puller, mint] = [newKey(), newKey(), newKey().address];
  for (const { address } of [merchant, puller]) chain.airdrop(address, 1_000_000_000n);
  setMint(chain, mint);
  const plan = await publishPlan(chain, merchant, puller, mint);
  const wallets: Wallet[] = [];
  for (let count = 0; count < WALLETS; count++) wallets.push(await newWallet(chain, mint, plan.address));
  const receiver = await tokenAccountOf(merchant.address, mint);
  setTokenAccount(chain, receiver, mint, merchant.address, 0n);
  const send = (wire: Uint8Array): void => {
    const { error } = chain.send(wire);
    if (error !== null) throw new Error(`A transaction of the benchmark failed: ${JSON.stringify(error)}`);
  };
  const signupRate = measureRate(
    wallets,
    (wallet) => signed(chain, [wallet, puller], signup({ wallet, merchant, puller, mint, plan, receiver })),
    send,
  );
  const transferRate = measureRate(
    wallets,
    (wallet) => signed(chain, [wallet], [transfer(wallet, mint, receiver)]),
    send,
  );
  const bareRate = measureBareTransfers(chain, wallets, mint, receiver);

  print('subscribe-and-pull, in process', signupRate, bareRate);
  print('token transfer, in process', transferRate, bareRate);
  print('token transfer, LiteSVM alone', bareRate, bareRate);
  console.log(`The aim is ${AIM} subscribe-and-pull transactions a second.`);
  return signupRate.perSecond;
}

function print(name: string, { perSecond, cpu }: Rate, bare: Rate): void {
  const percent = ((100 * bare.cpu) / cpu).toFixed(1);
  console.log(
    `${name.padEnd(32)}${perSecond.toFixed(0).padStart(7)} a second, ${cpu.toFixed(0).padStart(5)} µs of CPU each ` +
      `(${percent} % of LiteSVM alone)`,
  );
}

/**
 * Measures how fast `act` processes what `prepare` makes of the items, a batch at a time. The first quarter of them is
 * only a warm-up, and `prepare` is not measured.
 */
function measureRate<Item, Prepared>(
  items: readonly Item[],
  prepare: (item: Item) => Prepared,
  act: (prepared: Prepared) => void,
): Rate {
  const warmUp = Math.floor(items.length / 4);
  let [measured, ms, micros] = [0, 0, 0];
  for (let from = 0; from < items.length; from += BATCH) {
    const batch = items.slice(from, from + BATCH).map(prepare);
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    batch.forEach(act);
    const used = process.cpuUsage(cpu);
    if (from < warmUp) continue;
    ms += performance.now() - start;
    micros += used.user + used.system;
    measured += batch.length;
  }
  return { perSecond: (measured * 1000) / ms, cpu: micros / measured };
}

/** Measures plain token transfers on LiteSVM alone, from accounts copied from the chain. */
function measureBareTransfers(
  chain: Localnet,
  wallets: readonly Wallet[],
  mint: Address,
  receiver: Address,
): Rate {
  const bare = new NativeRuntime(chain.lamportsPerByte, new Map());
  const copy = (address: Address): void => {
    const account = chain.getAccount(address);
    if (account !== null) bare.writeAccount(address, account);
  };
  [mint, receiver].forEach(copy);
  const prepare = (wallet: Wallet) => {
    [wallet.address, wallet.tokenAccount].forEach(copy);
    return packNativeMessage(wallet.address, [transfer(wallet, mint, receiver)]);
  };
  return measureRate(wallets, prepare, ({ wire, addresses }) => {
    const { error } = bare.runTransaction(wire, addresses, { units: 200_000n, heapSize: 32 * 1024 });
    if (error !== null) throw new Error(`A bare transfer failed: ${JSON.stringify(error)}`);
  });
}

interface Signup {
  readonly wallet: Wallet;
  readonly merchant: Key;
  readonly puller: Key;
  readonly mint: Address;
  readonly plan: { readonly address: Address; readonly bump: number; readonly createdAt: bigint };
  readonly receiver: Address;
}

function signup({ wallet, merchant, puller, mint, plan, receiver }: Signup): RuntimeInstruction[] {
  const user = wallet.address;
  const { tokenAccount: source, authority, subscription } = wallet;
  return [
    initAuthority({ user, authority, mint, tokenAccount: source, tokenProgram: TOKEN_PROGRAM }),
    subscribe({
      subscriber: user,
      merchant: merchant.address,
      plan: plan.address,
      subscription,
      authority,
      planId: 1n,
      planBump: plan.bump,
      expectedMint: mint,
      expectedAmount: PRICE,
      expectedPeriodHours: 720n,
      expectedCreatedAt: plan.createdAt,
      expectedInitId: UNKNOWN_INIT_ID,
    }),
    pull({
      subscription,
      plan: plan.address,
      authority,
      source,
      receiver,
      caller: puller.address,
      mintAccount: mint,
      tokenProgram: TOKEN_PROGRAM,
      hookAccounts: [],
      amount: PRICE,
      delegator: user,
      mint,
    }),
  ];
}

async function publishPlan(chain: Localnet, merchant: Key, puller: Key, mint: Address) {
  const [address, bump] = await derive(SUBSCRIPTIONS_PROGRAM, ['plan', merchant.address, u64(1n)]);
  const instruction = createPlan({
    merchant: merchant.address,
    plan: address,
    mintAccount: mint,
    tokenProgram: TOKEN_PROGRAM,
    planId: 1n,
    mint,
    amount: PRICE,
    periodHours: 720n,
    createdAt: 0n,
    endTs: 0n,
    destinations: [],
    pullers: [puller.address],
    uri: '',
  });
  const { error } = chain.send(signed(chain, [merchant], [instruction]));
  if (error !== null) throw new Error(`The plan could not be published: ${JSON.stringify(error)}`);
  return { address, bump, createdAt: chain.clock.unixTimestamp };
}

function transfer(wallet: Wallet, mint: Address, receiver: Address): RuntimeInstruction {
  return {
    programAddress: TOKEN_PROGRAM,
    accounts: [
      {
        address: wallet.tokenAccount,
        isSigner: false,
        isWritable: true,
      },
      { address: mint, isSigner: false, isWritable: false },
      { address: receiver, isSigner: false, isWritable: true },
      { address: wallet.address, isSigner: true, isWritable: false },
    ],
    data: Uint8Array.of(12, ...u64(PRICE), DECIMALS),
  };
}

function setMint(chain: Localnet, address: Address): void {
  const data = new Uint8Array(82);
  data[44] = DECIMALS;
  data[45] = 1;
  chain.setAccount(address, { lamports: 10_000_000n, owner: TOKEN_PROGRAM, data });
}

function setTokenAccount(
  chain: Localnet,
  address: Address,
  mint: Address,
  owner: Address,
  amount: bigint,
): void {
  const data = new Uint8Array(165);
  data.set(addressBytes(mint));
  data.set(addressBytes(owner), 32);
  data.set(u64(amount), 64);
  data[108] = 1;
  chain.setAccount(address, { lamports: 10_000_000n, owner: TOKEN_PROGRAM, data });
}

async function newWallet(chain: Localnet, mint: Address, plan: Address): Promise<Wallet> {
  const key = newKey();
  const tokenAccount = await tokenAccountOf(key.address, mint);
  chain.setAccount(key.address, { lamports: 1_000_000_000n });
  setTokenAccount(chain, tokenAccount, mint, key.address, 100n * PRICE);
  const [authority] = await derive(SUBSCRIPTIONS_PROGRAM, ['SubscriptionAuthority', key.address, mint]);
  const [subscription] = await derive(SUBSCRIPTIONS_PROGRAM, ['subscription', plan, key.address]);
  return { ...key, tokenAccount, authority, subscription };
}

async function tokenAccountOf(owner: Address, mint: Address): Promise<Address> {
  const [address] = await derive(ASSOCIATED_TOKEN_PROGRAM, [owner, TOKEN_PROGRAM, mint]);
  return address;
}

/** Derives a PDA. A seed that is an address is used as its 32 bytes. */
function derive(programAddress: Address, seeds: readonly (string | Uint8Array)[]) {
  const bytes = seeds.map((seed) =>
    typeof seed === 'string' ? (isAddress(seed) ? addressBytes(seed) : seed) : seed,
  );
  return getProgramDerivedAddress({ programAddress, seeds: bytes });
}

function newKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    address: toAddress(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
    secret: privateKey,
  };
}

/** Packs and signs a transaction. The first signer pays the fee. */
function signed(
  chain: Localnet,
  signers: readonly Key[],
  instructions: readonly RuntimeInstruction[],
): Uint8Array {
  const [feePayer] = signers;
  const packed = packNativeMessage(feePayer?.address ?? SYSTEM_PROGRAM, instructions);
  const transaction = withBlockhash(decodeTransaction(packed.wire), chain.latestBlockhash().blockhash);
  const wire = transaction.wire.slice();
  for (const { address, secret } of signers) {
    const place = transaction.accounts.findIndex((meta) => meta.address === address);
    wire.set(sign(null, transaction.message, secret), 1 + 64 * place);
  }
  return wire;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
