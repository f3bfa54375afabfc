import type { EventType, PlanInput, TierName } from '@subrail/core';

/** A project with a key of its own. */
export interface ControlledProject {
  readonly id: string;
  /** `SUB_` and 43 letters or digits. */
  readonly key: string;
}

/** What `Control.fault` breaks, until it is mended. */
export type Fault =
  /** The chain answers nothing: `network_unavailable`, and attempts with the reason `transport`. */
  | 'chain_silent'
  /** The chain answers every question with an error of number -32005: attempts with the reason `solana_<code>`. */
  | 'chain_error'
  /** What is sent does not arrive: transactions that expire. */
  | 'sends_lost'
  /** The chain makes no blocks, though its clock runs: what is sent does not land, and may still. */
  | 'blocks_stand'
  /** Nobody can say what became of a transaction. */
  | 'landings_untold'
  /** Somebody else is always faster: every write of a subscription finds it changed, `subscription_changed`. */
  | 'writes_lost'
  /** The database cannot serve now: `unavailable`. */
  | 'store_unavailable'
  /** The database fails in a way nobody thought of: `internal_error`. */
  | 'store_broken'
  /** The worker is not running: nothing is charged, swept or delivered as time passes. */
  | 'worker_stopped';

/** A moment in the service's work with the chain, at which the rest of the world is not standing still. */
export type Moment =
  /** Before it next reads the accounts of a subscription. */
  | 'read'
  /** Before it next builds a transaction. */
  | 'build'
  /** Before it next hands a transaction to the chain, after the chain would have taken it. */
  | 'send'
  /** Before it next asks what became of a transaction; what was sent before has landed. */
  | 'look'
  /** Before it next writes a subscription. */
  | 'write';

/**
 * All that the suite knows of a running service besides what the contract tells: where it is, and the few things that no
 * call under `/v1` does. Everything else it does as an integrator, a wallet or a plan's owner would, over HTTP and over the
 * chain's own RPC.
 *
 * The service must be one that nobody else uses, on a chain that is moved by this control alone.
 */
export interface Control {
  /** Where the service answers, without `/v1` and without a slash at its end. */
  readonly baseUrl: string;
  /** Where the chain's JSON-RPC is: wallets, plan owners and issuers act on it themselves. */
  readonly rpcUrl: string;

  /** Projects and keys are made by management, never over `/v1`. */
  createProject(input: {
    readonly name: string;
    readonly tier: TierName;
    readonly logo_url?: string;
  }): Promise<ControlledProject>;
  /** A further key of the project. */
  createKey(projectId: string): Promise<string>;
  /** The key is one no more. */
  revokeKey(key: string): Promise<void>;

  /** A draft: plans are made by management. Refused as management refuses it. */
  createPlan(projectId: string, input: PlanInput): Promise<void>;
  /** The transaction, base64, that puts a draft on chain, for its owner to sign and send. */
  publishPlan(projectId: string, slug: string): Promise<string>;
  /** Makes a draft that stands on chain a published plan. */
  confirmPlan(projectId: string, slug: string): Promise<void>;
  /** Takes a published plan to the end of its life, as management will (plans#listed-plans). */
  retirePlan(projectId: string, slug: string, as: 'sunset' | 'closed'): Promise<void>;

  /** Price of one whole token in dollars as a decimal string, or null for none. Null for every token at first. */
  setPrice(mint: string, usd: string | null): void;
  /** What a token is called by who vouches for it; nobody vouches for any at first. */
  setToken(
    mint: string,
    facts: { readonly symbol: string; readonly name: string; readonly logoUrl: string | null },
  ): void;

  /** An endpoint for the project's webhooks at an address of the suite; answers its id and signing secret. */
  createEndpoint(
    projectId: string,
    url: string,
    types: readonly EventType[],
  ): Promise<{ readonly id: string; readonly secret: string }>;
  /** Regenerates an endpoint's secret; the old one signs beside it for the hours given. Answers the new one. */
  rotateSecret(projectId: string, endpointId: string, overlapHours: number): Promise<string>;
  /** Whether an endpoint is on, and why the service turned it off by itself. */
  endpoint(
    projectId: string,
    endpointId: string,
  ): Promise<{ readonly enabled: boolean; readonly disabled_reason: string | null }>;

  /** The service's time, which is the chain's. */
  now(): Date;
  /** Lets time pass, the worker coming by at each of its dates on the way and until nothing is left to do at the end. */
  pass(ms: number): Promise<void>;
  /** Lets a moment pass in which the worker does not come by: whoever acts on chain next does so in a later block. */
  move(ms: number): Promise<void>;
  /** One visit of the worker, and no more: what it sends is still on its way after it. */
  visit(): Promise<void>;

  /**
   * Puts an account on chain as given, without a transaction: zero lamports remove it. Purses and tokens are made by it, and
   * what only an issuer could do, such as freezing an account.
   */
  putAccount(
    address: string,
    parts: { readonly data?: Uint8Array; readonly lamports?: bigint; readonly owner?: string },
  ): Promise<void>;
  /** Sets what a wallet holds of a token, in its smallest unit, opening its account when it has none. */
  setBalance(wallet: string, mint: string, amount: bigint, tokenProgram?: string): Promise<void>;

  /** Breaks or mends something. A fault that a test provoked is no failure of the suite. */
  fault(fault: Fault, broken: boolean): void;
  /** Does something once, at a moment of the service's work that no caller can hit by timing. */
  meanwhile(moment: Moment, act: () => Promise<void>): void;
  /** The chain refuses the transaction it is next handed with this `Custom` code, whatever it is. */
  refuseNextSend(programCode: number): void;

  close(): Promise<void>;
}

/** What a module that gives the suite another world exports. */
export type OpenControl = () => Promise<Control>;
