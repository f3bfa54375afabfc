import { type Address, address } from '@solana/kit';
import { expect } from 'vitest';
import type { Processed } from '../../runtime/ledger.js';
import type { RuntimeInstruction } from '../../runtime/program.js';
import { findAuthority, findPlan, findSubscription, findTokenAccount } from '../pdas.js';
import * as build from './instruction-builders.js';
import { TestChain, type ChainPrograms } from './test-chain.js';
import { readAuthority, readEvent, readPlan, readSubscription, readTokenAccount } from './decoders.js';
import { type MintKind, SPL, setMint, setTokenAccount } from './token-setup.js';

export const HOUR = 3600n;
export const DAY = 24n * HOUR;
export const SOL = 1_000_000_000n;
export const PRICE = 50_000_000n;
export const EVERYTHING = 2n ** 64n - 1n;

/** The keys of the scenarios. The first three are those of program#pda-seeds-and-known-answers. */
export const A: Address = address('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi');
export const M: Address = address('8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR');
export const PULLER: Address = address('CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8');
export const B: Address = address('GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq');
export const SPONSOR: Address = address('LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY');
export const STRANGER: Address = address('QWmroo4YnnMqYW3cnxWkFdaTxGD3P7vMSzwMHGbUzwF');
/** Pays every fee, so that fees change no other wallet's lamports or flags. */
export const FEES: Address = address('US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx');

export const MINT: Address = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const OTHER_MINT: Address = address('So11111111111111111111111111111111111111112');
/** The address of a token account of A that is no ATA, in the scenarios that create one. */
export const NOT_CANONICAL: Address = address('cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizuN');

/** The rent of a subscription in lamports, at the rate of the test chain. */
export const SUBSCRIPTION_RENT = 1_437_640n;

type Init = build.InitFields;
type Subscription = build.SubscriptionFields;

/**
 * A chain with wallets, a mint and token accounts, and builders of instructions, which take each missing
 * field from the world with which program#program-scenarios begin.
 */
export class World {
  readonly chain: TestChain;
  readonly kind: MintKind;

  constructor(programs: ChainPrograms, kind: MintKind) {
    this.chain = new TestChain(programs);
    this.kind = kind;
    for (const wallet of [A, M, PULLER, B, SPONSOR, STRANGER, FEES]) this.setLamports(wallet, 10n * SOL);
    setMint(this.chain, { address: MINT, authority: M, kind, isInitialized: true });
    this.giveTokens(A, 100_000_000n);
    this.giveTokens(M, 0n);
  }

  // Addresses

  tokenAccount(wallet: Address, mint = MINT): Address {
    return findTokenAccount(wallet, this.kind.tokenProgram, mint).address;
  }
  authority(user = A, mint = MINT): Address {
    return findAuthority(user, mint).address;
  }
  plan(planId = 1n, owner = M): Address {
    return findPlan(owner, planId).address;
  }
  subscription(plan = this.plan(), subscriber = A): Address {
    return findSubscription(plan, subscriber).address;
  }

  // State

  get now(): bigint {
    return this.chain.now;
  }
  get slot(): bigint {
    return this.chain.slot;
  }
  data(of: Address): Uint8Array {
    return this.chain.read(of).data;
  }
  lamports(of: Address): bigint {
    return this.chain.read(of).lamports;
  }
  exists(of: Address): boolean {
    return this.lamports(of) > 0n;
  }
  authorityState(of = this.authority()) {
    return readAuthority(this.data(of));
  }
  planState(of = this.plan()) {
    return readPlan(this.data(of));
  }
  subscriptionState(of = this.subscription()) {
    return readSubscription(this.data(of));
  }
  tokenState(of: Address) {
    return readTokenAccount(this.data(of));
  }
  tokens(wallet: Address): bigint {
    return this.tokenState(this.tokenAccount(wallet)).amount;
  }

  // Changes from outside of any transaction

  advance(seconds: bigint): void {
    this.chain.advance(seconds);
  }
  setLamports(of: Address, lamports: bigint): void {
    this.chain.write(of, { ...this.chain.read(of), lamports });
  }
  /** Replaces a range of an account's bytes. */
  patch(of: Address, at: number, value: Uint8Array): void {
    const state = this.chain.read(of);
    const data = Uint8Array.from(state.data);
    data.set(value, at);
    this.chain.write(of, { ...state, data });
  }
  remove(of: Address): void {
    this.chain.write(of, { lamports: 0n, data: new Uint8Array(), owner: build.SYSTEM, executable: false });
  }
  giveTokens(wallet: Address, amount: bigint): void {
    this.setAssociated(wallet, { amount });
  }
  /** Writes a wallet's associated token account. */
  setAssociated(
    wallet: Address,
    fields: { amount: bigint; isFrozen?: boolean; kind?: MintKind; mint?: Address },
  ): void {
    const { amount, isFrozen = false, kind = this.kind, mint = MINT } = fields;
    const at = this.tokenAccount(wallet, mint);
    setTokenAccount(this.chain, { address: at, mint, owner: wallet, amount, kind, isFrozen });
  }

  // Transactions

  send(...instructions: readonly RuntimeInstruction[]): Processed {
    return this.chain.send(FEES, instructions);
  }

  /** Sends a transaction that must succeed. */
  ok(...instructions: readonly RuntimeInstruction[]): Processed {
    const processed = this.send(...instructions);
    expect(processed.error, processed.logs.join('\n')).toBeNull();
    return processed;
  }

  /** Sends a transaction whose last instruction must fail and change nothing. A number is a Custom code. */
  fails(error: number | string, ...instructions: readonly RuntimeInstruction[]): Processed {
    return this.failsAt(instructions.length - 1, error, ...instructions);
  }

  /** Sends a transaction whose instruction with this index must fail and leave all accounts unchanged. */
  failsAt(index: number, error: number | string, ...instructions: readonly RuntimeInstruction[]): Processed {
    const named = [...new Set(instructions.flatMap((one) => one.accounts.map((meta) => meta.address)))];
    const before = named.map((one) => this.chain.read(one));
    const processed = this.send(...instructions);
    const expected = typeof error === 'number' ? { Custom: error } : error;
    expect(processed.error, processed.logs.join('\n')).toEqual({ InstructionError: [index, expected] });
    expect(named.map((one) => this.chain.read(one))).toEqual(before);
    return processed;
  }

  /** The events of a transaction, in order. */
  events(processed: Processed) {
    return [...processed.innerInstructions.values()].flat().flatMap(({ data }) => readEvent(data) ?? []);
  }

  // Instructions

  init(overrides: Partial<Init> = {}): RuntimeInstruction {
    const { user = A, mint = MINT } = overrides;
    return build.initAuthority({ ...this.#authorityAccounts(user, mint), ...overrides });
  }
  closeAuthority(
    overrides: { user?: Address; authority?: Address; receiver?: Address } = {},
  ): RuntimeInstruction {
    return build.closeAuthority({ user: A, authority: this.authority(overrides.user ?? A), ...overrides });
  }
  revokeAuthority(overrides: Partial<build.RevokeAuthorityFields> = {}): RuntimeInstruction {
    const { user = A, mint = MINT } = overrides;
    return build.revokeAuthority({ ...this.#authorityAccounts(user, mint), ...overrides });
  }
  createPlan(overrides: Partial<build.PlanFields> = {}): RuntimeInstruction {
    const { planId = 1n, merchant = M } = overrides;
    return build.createPlan({
      merchant,
      plan: this.plan(planId, merchant),
      mintAccount: overrides.mint ?? MINT,
      tokenProgram: this.kind.tokenProgram,
      planId,
      mint: MINT,
      amount: PRICE,
      periodHours: 1n,
      createdAt: 0n,
      endTs: this.now + 30n * DAY,
      destinations: [],
      pullers: [],
      uri: 'https://example.com/plan',
      ...overrides,
    });
  }
  /** Updates a plan to its current state, except for the given fields. */
  updatePlan(overrides: Partial<build.UpdatePlanFields> = {}): RuntimeInstruction {
    const plan = overrides.plan ?? this.plan();
    const { status = 1, endTs, pullers, uri, createdAt } = this.planState(plan);
    return build.updatePlan({
      owner: M,
      plan,
      status,
      endTs,
      pullers,
      uri,
      expectedCreatedAt: createdAt,
      expectedEndTs: endTs,
      expectedPullers: pullers,
      expectedUri: uri,
      ...overrides,
    });
  }
  deletePlan(overrides: { owner?: Address; plan?: Address } = {}): RuntimeInstruction {
    return build.deletePlan({ owner: M, plan: this.plan(), ...overrides });
  }
  /** Subscribes to the plan as it is, with the authority's generation; without one, with the sentinel. */
  subscribe(overrides: Partial<build.SubscribeFields> = {}): RuntimeInstruction {
    const { subscriber = A, merchant = M, planId = 1n } = overrides;
    const plan = overrides.plan ?? this.plan(planId, merchant);
    const { mint, amount, periodHours, createdAt } = this.planState(plan);
    const authority = overrides.authority ?? this.authority(subscriber, mint);
    return build.subscribe({
      subscriber,
      merchant,
      plan,
      subscription: this.subscription(plan, subscriber),
      authority,
      planId,
      planBump: findPlan(merchant, planId).bump,
      expectedMint: mint,
      expectedAmount: amount,
      expectedPeriodHours: periodHours,
      expectedCreatedAt: createdAt,
      expectedInitId: this.exists(authority) ? this.authorityState(authority).initId : build.UNKNOWN_INIT_ID,
      ...overrides,
    });
  }
  pull(amount: bigint, overrides: Partial<build.PullFields> = {}): RuntimeInstruction {
    const { delegator = A, mint = MINT, plan = this.plan() } = overrides;
    return build.pull({
      subscription: this.subscription(plan, delegator),
      plan,
      authority: this.authority(delegator, mint),
      source: this.tokenAccount(delegator, mint),
      receiver: this.tokenAccount(M, mint),
      caller: M,
      mintAccount: mint,
      tokenProgram: this.kind.tokenProgram,
      hookAccounts: [],
      amount,
      delegator,
      mint,
      ...overrides,
    });
  }
  cancel(overrides: Partial<Subscription> = {}): RuntimeInstruction {
    return build.cancel(this.#subscriptionAccounts(overrides));
  }
  cancelNow(overrides: Partial<Subscription & { merchant: Address; expectedPeriodStart: bigint }> = {}) {
    const accounts = this.#subscriptionAccounts(overrides);
    const { start } = this.subscriptionState(accounts.subscription);
    return build.cancelNow({ ...accounts, merchant: M, expectedPeriodStart: start, ...overrides });
  }
  resume(overrides: Partial<Subscription & { authority: Address; expectedExpiresAt: bigint }> = {}) {
    const accounts = this.#subscriptionAccounts(overrides);
    const { expiresAt } = this.subscriptionState(accounts.subscription);
    const authority = this.authority(accounts.subscriber);
    return build.resume({ ...accounts, authority, expectedExpiresAt: expiresAt, ...overrides });
  }
  revoke(overrides: Partial<Parameters<typeof build.revoke>[0]> = {}): RuntimeInstruction {
    const { subscription, plan } = this.#subscriptionAccounts(overrides);
    return build.revoke({ authority: A, subscription, plan, ...overrides });
  }
  revokeAbandoned(overrides: Partial<Parameters<typeof build.revokeAbandoned>[0]> = {}): RuntimeInstruction {
    const { subscription, plan } = this.#subscriptionAccounts(overrides);
    return build.revokeAbandoned({ payer: A, subscription, authority: this.authority(), plan, ...overrides });
  }

  #authorityAccounts(user: Address, mint: Address): Init {
    return {
      user,
      authority: this.authority(user, mint),
      mint,
      tokenAccount: this.tokenAccount(user, mint),
      tokenProgram: this.kind.tokenProgram,
    };
  }
  #subscriptionAccounts(overrides: Partial<Subscription>): Subscription {
    const { subscriber = A, plan = this.plan() } = overrides;
    return { subscriber, plan, subscription: overrides.subscription ?? this.subscription(plan, subscriber) };
  }
}

/** Creates the worlds of one scenario, with the same programs, and keeps them to compare what happened. */
export class Fixtures {
  readonly #programs: ChainPrograms;
  readonly worlds: World[] = [];

  constructor(programs: ChainPrograms) {
    this.#programs = programs;
  }

  /** Wallets, mint and token accounts, and no account of the program. */
  bare(kind: MintKind = SPL): World {
    const world = new World(this.#programs, kind);
    this.worlds.push(world);
    return world;
  }

  /** A's authority, and the plan of the scenarios with some fields changed. */
  planned(plan: Partial<build.PlanFields> = {}, kind: MintKind = SPL): World {
    const world = this.bare(kind);
    world.ok(world.init());
    world.ok(world.createPlan(plan));
    return world;
  }

  /** The world with which program#program-scenarios begin: A has subscribed. */
  subscribed(plan: Partial<build.PlanFields> = {}, kind: MintKind = SPL): World {
    const world = this.planned(plan, kind);
    world.ok(world.subscribe());
    return world;
  }
}

/** A row of program#program-scenarios, or other behaviour of the program, for any implementation. */
export interface Scenario {
  readonly name: string;
  play(fixtures: Fixtures): void;
}

export function scenario(name: string, play: (fixtures: Fixtures) => void): Scenario {
  return { name, play };
}
