import {
  AccountRole,
  type Address,
  type Instruction,
  type SignatureBytes,
  type Transaction,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Chain } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { subscribe } from '../program/subscriber-instructions.js';
import { type Methods, chainOn as chainOnNode, signerOf } from '../tests/chain-on.js';
import { key } from '../tests/charge-view.js';
import { FakeRpcError } from '../tests/fake-rpc.js';
import { LocalWorld } from '../tests/local-world.js';
import { compile } from '../transaction/message.js';
import { encodeWire } from '../transaction/wire.js';

const SINCE = new Date('2026-01-01T00:00:00.000Z');
const SINCE_SECONDS = BigInt(SINCE.getTime() / 1000);
const SLOT = 1_000n;
/** Long enough before it that nothing of it can be rolled back any more. */
const SETTLED = 800n;

const world = await LocalWorld.open();
const { target } = world;
const stranger = await signerOf(21);
const account = address(await world.chain.subscriptionAddress(target.plan.address, target.wallet));

/** A transaction in the history of the account, as a node lists it, with its bytes when it succeeded. */
interface Landed {
  readonly signature: string;
  readonly slot: bigint;
  readonly wire: string | null;
  readonly version?: 1;
}

let made = 0;

/** Makes a stranger's transactions with one instruction. No node here verifies their made-up signatures. */
function strangersWith(instruction: Instruction): () => Landed {
  const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
  const compute = { unitLimit: 1_000, unitPrice: 0n };
  const compiled = compile(stranger.address, [instruction], lifetime, compute);
  return () => strangersTransaction(compiled);
}

function strangersTransaction(compiled: Transaction): Landed {
  made += 1;
  const bytes = new Uint8Array(64).fill(1);
  new DataView(bytes.buffer).setUint32(0, made);
  const signed = { ...compiled, signatures: { [stranger.address]: bytes as SignatureBytes } };
  return { signature: getSignatureFromTransaction(signed), slot: SETTLED, wire: encodeWire(signed) };
}

const NAMING: Instruction = {
  programAddress: key(7),
  accounts: [{ address: account, role: AccountRole.READONLY }],
  data: Uint8Array.of(1),
};
const naming = strangersWith(NAMING);

/** A transaction of version 1 of the stranger's, with one instruction. */
function newVersionWith(instruction: Instruction): Landed {
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 1 as 0 }),
      (message) => setTransactionMessageFeePayer(stranger.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n },
          message,
        ),
      (message) => appendTransactionMessageInstruction(instruction, message),
    ),
  );
  return { ...strangersTransaction(compiled), version: 1 };
}

function failing(): Landed {
  made += 1;
  return { signature: `failed ${made}`, slot: SETTLED, wire: null };
}

const many = (count: number, one: () => Landed) => Array.from({ length: count }, one);

const subscribeTo = (subscription: Address) =>
  subscribe({
    ...{ wallet: stranger.address, owner: key(2), plan: key(3), planBump: 255, planId: 1n },
    ...{ subscription, authority: key(5), mint: key(6), amount: 1n, periodHours: 1 },
    ...{ createdAt: 0n, initId: 0n },
  });

const { signature, wire } = await world.charge();
const PAYMENT: Landed = { signature, slot: 10n, wire };

/** A node that has this history, newest first, which may grow. */
function nodeOf(history: readonly Landed[]): Methods {
  return {
    getFirstAvailableBlock: () => 0n,
    getSignaturesForAddress: ([, config]) => {
      const { before, limit } = config as { readonly before?: string; readonly limit: number };
      const place = before === undefined ? -1 : history.findIndex((one) => one.signature === before);
      if (before !== undefined && place < 0) throw new FakeRpcError(-32020);
      return history.slice(place + 1, place + 1 + limit).map((one) => ({
        signature: one.signature,
        slot: one.slot,
        err: one.wire === null ? { InstructionError: [0, 'Custom'] } : null,
        blockTime: SINCE_SECONDS + one.slot,
      }));
    },
    getTransaction: ([asked, config]) => {
      const found = history.find((one) => one.signature === asked);
      const { maxSupportedTransactionVersion: most } = config as {
        readonly maxSupportedTransactionVersion: number;
      };
      if ((found?.version ?? 0) > most) throw new FakeRpcError(-32015);
      return {
        slot: found?.slot,
        blockTime: SINCE_SECONDS + (found?.slot ?? 0n),
        transaction: [found?.wire, 'base64'],
        meta: {
          ...{ err: null, fee: 5_000n, innerInstructions: [], preTokenBalances: [], postTokenBalances: [] },
          loadedAddresses: { writable: [], readonly: [] },
        },
      };
    },
  };
}

/** Looks at the history until it is known, and returns what it tells and how many looks it took. */
async function lookUntilKnown(chain: Chain, between: () => void = () => undefined, slot = SLOT) {
  for (let looks = 1; looks <= 10; looks += 1) {
    const answer = await chain.readHistory({ ...target, since: SINCE, slot });
    if (answer.ok) {
      const { payments, createdAt } = answer.value;
      return { looks, payments: payments.map((payment) => payment.signature), createdAt };
    }
    expect(answer).toMatchObject({ unavailable: { kind: 'transport' } });
    between();
  }
  return 'unknown';
}

/** The chain over a slow node: one look has time for five pages, or for 150 transactions. */
function chainOn(methods: Methods) {
  let now = 0;
  const taking = (name: string, ms: number): Methods => ({
    [name]: (params) => {
      now += ms;
      return methods[name]?.(params);
    },
  });
  return chainOnNode(
    { ...methods, ...taking('getSignaturesForAddress', 3_000), ...taking('getTransaction', 100) },
    { elapsed: () => now },
  );
}

const countOf = (called: readonly string[], method: string) => called.filter((one) => one === method).length;

/** Cheap transactions of a stranger's, more of each than one look examines. Another kind is a row. */
const CROWDS: readonly (readonly [string, number, () => Landed])[] = [
  ['fail', 8_000, failing],
  ['only name the account', 280, naming],
];

// attempts#history-of-the-account
describe('the history of an account that a stranger crowds', () => {
  it.each(CROWDS)('is read to its end by several looks: transactions that %s', async (_, count, one) => {
    const crowd = many(count, one);
    const { chain, called } = chainOn(nodeOf([...crowd, PAYMENT]));
    expect(await lookUntilKnown(chain)).toEqual({ looks: 2, payments: [signature], createdAt: null });
    expect(countOf(called, 'getTransaction')).toBe(crowd.filter((each) => each.wire !== null).length + 1);
    // The second look lists the page again inside which the first one stopped.
    expect(countOf(called, 'getSignaturesForAddress')).toBeLessThanOrEqual(Math.ceil(count / 1_000) + 2);
  });

  it('is read to its end while more transactions come between two looks', async () => {
    const history = [...many(12_000, failing), PAYMENT];
    const { chain } = chainOn(nodeOf(history));
    const grow = () => {
      history.unshift(...many(2_000, failing));
    };
    expect(await lookUntilKnown(chain, grow)).toEqual({ looks: 3, payments: [signature], createdAt: null });
  });

  it('is read once: a later look examines what came since, and finds each payment once', async () => {
    const history: Landed[] = [...many(120, naming), PAYMENT];
    const { chain, called } = chainOn(nodeOf(history));
    const known = { looks: 1, payments: [signature], createdAt: null };
    expect(await lookUntilKnown(chain)).toEqual(known);
    called.length = 0;
    expect(await lookUntilKnown(chain)).toEqual(known);
    expect(called).toEqual(['getSignaturesForAddress']);
    called.length = 0;
    history.unshift({ ...naming(), slot: SLOT + 1n });
    expect(await lookUntilKnown(chain, undefined, SLOT + 1n)).toEqual(known);
    expect(called).toEqual(['getSignaturesForAddress', 'getTransaction']);
  });

  it('shows a payment that landed between two looks, before the older one', async () => {
    const second = await world.charge(5n);
    const history: Landed[] = [...many(6_000, failing), PAYMENT];
    const { chain } = chainOn(nodeOf(history));
    expect(await chain.readHistory({ ...target, since: SINCE, slot: SLOT })).toMatchObject({ ok: false });
    history.unshift({ signature: second.signature, wire: second.wire, slot: SLOT + 1n });
    expect(await lookUntilKnown(chain, undefined, SLOT + 1n)).toEqual({
      looks: 1,
      payments: [second.signature, signature],
      createdAt: null,
    });
  });

  it('shows no payment that the chain rolled back after an earlier look', async () => {
    const history: Landed[] = [{ ...PAYMENT, slot: SLOT - 1n }, ...many(8_000, failing)];
    const { chain } = chainOn(nodeOf(history));
    expect(await chain.readHistory({ ...target, since: SINCE, slot: SLOT })).toMatchObject({ ok: false });
    history.shift();
    const none = { payments: [], createdAt: null };
    expect(await lookUntilKnown(chain, undefined, SLOT + 100n)).toMatchObject(none);
    history.unshift({ ...PAYMENT, slot: SLOT + 101n });
    const found = { looks: 1, payments: [signature], createdAt: null };
    expect(await lookUntilKnown(chain, undefined, SLOT + 101n)).toEqual(found);
    history.shift();
    expect(await lookUntilKnown(chain, undefined, SLOT + 102n)).toMatchObject(none);
  });

  it('shows a payment that landed after the slot of the query, and finds it once when a later query includes it', async () => {
    const { chain } = chainOn(nodeOf([{ ...PAYMENT, slot: SLOT + 1n }]));
    const known = { looks: 1, payments: [signature], createdAt: null };
    expect(await lookUntilKnown(chain)).toEqual(known);
    expect(await lookUntilKnown(chain, undefined, SLOT + 1n)).toEqual(known);
  });

  it('is gone on with where a transaction could not be read', async () => {
    const history = [...many(130, naming), PAYMENT];
    const node = nodeOf(history);
    const unread = history[120]?.signature;
    let isAway = true;
    const { chain, called } = chainOn({
      ...node,
      getTransaction: (params) =>
        params[0] === unread && isAway ? null : (node['getTransaction']?.(params) ?? null),
    });
    expect(await chain.readHistory({ ...target, since: SINCE, slot: SLOT })).toMatchObject({ ok: false });
    isAway = false;
    called.length = 0;
    expect(await lookUntilKnown(chain)).toEqual({ looks: 1, payments: [signature], createdAt: null });
    expect(countOf(called, 'getTransaction')).toBe(history.length - 120);
  });

  it('is read anew where a node no longer knows where the last look stopped', async () => {
    const history = [...many(8_000, failing), PAYMENT];
    const { chain } = chainOn(nodeOf(history));
    expect(await chain.readHistory({ ...target, since: SINCE, slot: SLOT })).toMatchObject({ ok: false });
    history.splice(0, 7_000);
    expect(await chain.readHistory({ ...target, since: SINCE, slot: SLOT })).toMatchObject({ ok: false });
    expect(await lookUntilKnown(chain)).toEqual({ looks: 1, payments: [signature], createdAt: null });
  });

  it('is unavailable on a node that lists the same page again and again', async () => {
    const full = many(1_000, failing).map((one, place) => ({ ...one, slot: BigInt(1_000 - place) }));
    const node = nodeOf(full);
    const { chain, called } = chainOn({
      ...node,
      getSignaturesForAddress: ([of, config]) =>
        node['getSignaturesForAddress']?.([of, { ...(config as object), before: undefined }]),
    });
    expect(await chain.readHistory({ ...target, since: SINCE, slot: 1_000n })).toMatchObject({ ok: false });
    expect(called.length).toBeLessThan(10);
  });

  it('continues on nodes that have reached where it stopped, which may be behind the read', async () => {
    const asked: unknown[] = [];
    const node = nodeOf([...many(1_000, () => ({ ...failing(), slot: SLOT + 7n })), PAYMENT]);
    const { chain } = chainOn({
      ...node,
      getSignaturesForAddress: (params) => {
        asked.push((params[1] as { readonly minContextSlot: unknown }).minContextSlot);
        return node['getSignaturesForAddress']?.(params);
      },
    });
    expect(await lookUntilKnown(chain)).toEqual({ looks: 1, payments: [signature], createdAt: null });
    expect(asked).toEqual([1_000, 1_007]);
  });

  it('is read over a transaction of version 1, which shows when the account was made', async () => {
    const named = chainOn(nodeOf([newVersionWith(NAMING), PAYMENT]));
    const known = { looks: 1, payments: [signature], createdAt: null };
    expect(await lookUntilKnown(named.chain)).toEqual(known);
    const { chain } = chainOn(nodeOf([newVersionWith(subscribeTo(account)), PAYMENT]));
    const createdAt = new Date(Number(SINCE_SECONDS + SETTLED) * 1_000);
    expect(await lookUntilKnown(chain)).toEqual({ ...known, createdAt });
  });

  it('shows no account made where a stranger names it behind the accounts of a subscription of its own', async () => {
    const own = subscribeTo(key(4));
    const payer = { address: stranger.address, role: AccountRole.WRITABLE_SIGNER };
    const extra = { address: account, role: AccountRole.READONLY };
    const crafted = { ...own, accounts: [...(own.accounts ?? []), payer, extra] };
    const { chain } = chainOn(nodeOf([strangersWith(crafted)(), PAYMENT]));
    expect(await lookUntilKnown(chain)).toEqual({ looks: 1, payments: [signature], createdAt: null });
  });
});
