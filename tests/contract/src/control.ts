import type { EventType, PlanInput, TierName } from '@subrail/core/schemas';

/** A project and its first key. */
export interface ControlledProject {
  readonly id: string;
  /** `SUB_` and 43 letters or digits. */
  readonly key: string;
}

/** What `Control.fault` can break. */
export type Fault =
  /** The chain cannot be reached: `network_unavailable`, and attempts with the reason `transport`. */
  | 'chain_unreachable'
  /** The chain answers every call with the RPC error -32005: attempts with the reason `solana_<code>`. */
  | 'chain_error'
  /** Every transaction that is sent is lost, so that it expires. */
  | 'sends_lost'
  /** The chain's clock runs without blocks: a sent transaction does not land now, and may land later. */
  | 'blocks_stopped'
  /** The chain does not know the outcome of any transaction. */
  | 'outcomes_unknown'
  /** Every write of a subscription conflicts with another one: `subscription_changed`. */
  | 'writes_conflict'
  /** The database cannot serve now: `unavailable`. */
  | 'store_unavailable'
  /** The database fails in a way the service does not expect: `internal_error`. */
  | 'store_broken'
  /** The worker does not run: nothing is charged, swept or delivered as time passes. */
  | 'worker_stopped';

/** A moment in the service's work just before which `Control.before` can act. */
export type Moment =
  /** It reads the accounts of a subscription. */
  | 'read'
  /** It builds a transaction. */
  | 'build'
  /** It sends a transaction, whose simulation succeeded. */
  | 'send'
  /** It asks for the outcome of a transaction. Every transaction that was sent has landed. */
  | 'resolve'
  /** It writes a subscription. */
  | 'write';

/**
 * The suite's needs of a service beyond the contract: its address, and acts that no call under `/v1` does.
 * Otherwise it acts as integrator, wallet or plan owner, over HTTP and the chain's own RPC.
 *
 * Nobody else may use the service, and only this control may move its chain.
 */
export interface Control {
  /** Where the service answers, without `/v1` and without a slash at its end. */
  readonly baseUrl: string;
  /** Where the chain's JSON-RPC answers, on which wallets, plan owners and token issuers act. */
  readonly rpcUrl: string;
  /** How many hosts answer there in turn, each of which counts calls by itself. */
  readonly hosts: number;

  /** Creates a project with a key. Only management does this, never a route under `/v1`. */
  createProject(input: {
    readonly name: string;
    readonly tier: TierName;
    readonly logo_url?: string;
  }): Promise<ControlledProject>;
  /** Creates another key of the project. */
  createKey(projectId: string): Promise<string>;
  revokeKey(key: string): Promise<void>;

  /** Creates a draft plan, with the refusals of management. */
  createPlan(projectId: string, input: PlanInput): Promise<void>;
  /** Returns the transaction, base64, that publishes a draft on chain once its owner signs and sends it. */
  publishPlan(projectId: string, slug: string): Promise<string>;
  /** Makes a draft whose plan is on chain a published plan. */
  confirmPlan(projectId: string, slug: string): Promise<void>;
  /** Sets a published plan to a later status (plans#listed-plans). */
  retirePlan(projectId: string, slug: string, as: 'sunset' | 'closed'): Promise<void>;

  /** Sets the price of one whole token in dollars, as a decimal string; null, as at first, for none. */
  setPrice(mint: string, usd: string | null): void;
  /** Sets the verified symbol, name and logo of a token. A token is unverified at first. */
  setToken(
    mint: string,
    facts: { readonly symbol: string; readonly name: string; readonly logoUrl: string | null },
  ): void;

  /** Creates a webhook endpoint at an address of the suite; returns its id and signing secret. */
  createEndpoint(
    projectId: string,
    url: string,
    types: readonly EventType[],
  ): Promise<{ readonly id: string; readonly secret: string }>;
  /** Rotates an endpoint's secret; the old one signs for this many hours more. Returns the new secret. */
  rotateSecret(projectId: string, endpointId: string, overlapHours: number): Promise<string>;
  /** Whether an endpoint is enabled, and why the service disabled it. */
  endpoint(
    projectId: string,
    endpointId: string,
  ): Promise<{ readonly enabled: boolean; readonly disabled_reason: string | null }>;

  /** The service's time, which is the chain's too. */
  now(): Date;
  /** Lets time pass. The worker runs at each date for which it has work, and at the end until it has none. */
  pass(ms: number): Promise<void>;
  /** Moves time without running the worker, so that the next act on chain is in a later block. */
  advance(ms: number): Promise<void>;
  /** Runs the worker once: what it sends has no known outcome yet. */
  runWorkerOnce(): Promise<void>;

  /**
   * Sets an account on chain without a transaction; zero lamports remove it. The suite makes wallets and
   * tokens by it, and does what only an issuer could, such as freezing an account.
   */
  putAccount(
    address: string,
    parts: { readonly data?: Uint8Array; readonly lamports?: bigint; readonly owner?: string },
  ): Promise<void>;
  /** Sets a wallet's amount of a token, in its smallest unit, and opens a missing token account. */
  setBalance(wallet: string, mint: string, amount: bigint, tokenProgram?: string): Promise<void>;

  /** Starts or ends a fault. An error that the service logs because of a fault does not fail the suite. */
  fault(fault: Fault, active: boolean): void;
  /** Runs `act` once, just before a moment of the service's work that no caller can hit by timing. */
  before(moment: Moment, act: () => Promise<void>): void;
  /** The chain refuses the next transaction that is sent to it with this `Custom` code. */
  refuseNextSend(programCode: number): void;

  close(): Promise<void>;
}

/** What the module that `SUBRAIL_CONTRACT_WORLD` names must export as `openControl`. */
export type OpenControl = () => Promise<Control>;
