import {
  address,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  type Address,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { EventWire, PlanInput, TierName } from '@subrail/core/schemas';
import { getMintEncoder } from '@solana-program/token-2022';
import { expect } from 'vitest';

import { sendTransaction, signMessage, signTransaction, tokenBalanceOf, type Token } from '@subrail/localnet';
import {
  DAY,
  HOUR,
  MINUTE,
  outsideActions,
  planFacts,
  SECOND,
  type OutsideActions,
} from '@subrail/test-world';
import { apiOf, type Answer, type Api, type Body, type ClientParts } from './client.js';
import type { Control } from './control.js';
import { extendedToken, type Extended } from './extended-token.js';

export { SECOND, MINUTE, HOUR, DAY };
/** The default period of a plan: four of them fit into the 30 days for which events are listed. */
export const PERIOD = 7 * DAY;
export const PRICE = 5_000_000n;

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

export interface ScenarioOptions {
  readonly tier?: TierName;
  readonly plan?: Partial<Omit<PlanInput, 'owner' | 'mint'>>;
  /** The project's logo. */
  readonly logo_url?: string;
  /** The plan ends this long after the scenario begins. */
  readonly endsAfter?: number;
  /** Only the owner's wallet may receive. */
  readonly ownerOnly?: boolean;
  /** The token is of Token-2022: its issuer can pause it, or have it run a program on transfers. */
  readonly extended?: boolean;
}

/** What create and transaction answer: the checkout, and what its wallet has to sign. */
export interface IssuedCheckout {
  readonly subscription: { readonly id: string };
  readonly transaction: string;
  readonly terms: { readonly message: string; readonly expires_at: string };
}

/** The setting of one test: its own project, the published plan `pro`, and the owner of the plan. */
export interface Scenario {
  readonly control: Control;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly projectId: string;
  readonly key: string;
  readonly api: Api;
  readonly token: Token;
  readonly owner: KeyPairSigner;
  /** The same service with another key. */
  as(key: string | null): Api;
  /** Creates another plan of the project, published by default; returns its slug. */
  addPlan(input: Partial<PlanInput> & { readonly name: string }, as?: 'draft' | 'published'): Promise<string>;
  /** A wallet with lamports and tokens; its key is a new one by default. */
  wallet(tokens?: bigint, key?: KeyPairSigner): Promise<KeyPairSigner>;
  /** Sets how many tokens a wallet holds. */
  setHolding(wallet: KeyPairSigner, tokens: bigint): Promise<void>;
  holding(wallet: KeyPairSigner): Promise<bigint>;
  create(wallet: KeyPairSigner, more?: Body): Promise<Answer>;
  /** Creates a checkout that must be answered 201. */
  issue(wallet: KeyPairSigner, more?: Body): Promise<IssuedCheckout>;
  fresh(id: string): Promise<Answer>;
  submit(checkout: IssuedCheckout, wallet: KeyPairSigner): Promise<Answer>;
  /** Creates, signs and submits a checkout; returns the id of the subscription. */
  subscribe(wallet: KeyPairSigner, more?: Body): Promise<string>;
  /** The subscription as retrieve answers it. The access route must answer the same. */
  read(id: string): Promise<Body>;
  access(query: Record<string, string>): Promise<Body>;
  /** Every attempt, oldest first. */
  attempts(id: string): Promise<readonly Body[]>;
  /** Every attempt after the first payment, oldest first, as `outcome reason`. */
  outcomes(id: string): Promise<readonly string[]>;
  /** Every event of the subscription, in the order of their `sequence`. */
  events(id: string): Promise<readonly EventWire[]>;
  /** The types of the same events, without `subscription.`. */
  eventTypes(id: string): Promise<readonly string[]>;
  /** Builds cancel, resume or close, signed by the wallet and not sent. */
  signed(action: Action, id: string, wallet: KeyPairSigner): Promise<Signed>;
  confirm(action: Action, id: string, signature: string): Promise<Answer>;
  /** Builds an action, signs it as the wallet, sends it and confirms it. */
  act(action: Action, id: string, wallet: KeyPairSigner): Promise<Answer>;
  /** Changes an extended token as its issuer does, or its receiver's account. */
  extend(how: Extended): Promise<void>;
  /** Turns the CPI guard of a wallet's account on, which has ten times the price; of an extended token. */
  guard(wallet: Address): Promise<void>;
  /** What others can do on chain to this wallet's subscription, without the service. */
  outside(wallet: KeyPairSigner, slug?: string): Promise<OutsideActions>;
  /** The address of a plan on chain, as its terms say. */
  planAddress(slug?: string): Promise<Address>;
}

type Action = 'cancel' | 'resume' | 'close';

interface Signed {
  readonly wire: Awaited<ReturnType<typeof signTransaction>>;
  readonly signature: string;
}

/** An answer in short, such as `201`, `409 plan_ended` or `201 nothing_landed`. */
export function statusAndCode({ status, body }: Answer): string {
  const code = body['code'] ?? body['reason_code'];
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** The fields of a subscription that an access answer has too. */
const SHARED = [
  ...[
    'status',
    'paused',
    'end_reason',
    'late_reason',
    'stop_reason',
    'access',
    'payment_status',
    'blocked_since',
  ],
  ...['blocked_reason', 'current_period_end', 'access_until', 'closable', 'closable_from', 'next_charge_at'],
  ...['next_retry_at', 'retry_deadline', 'wallet', 'plan'],
];

export async function openScenario(
  parts: ClientParts,
  control: Control,
  options: ScenarioOptions = {},
): Promise<Scenario> {
  const rpc = createSolanaRpc(control.rpcUrl);
  const [owner, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const token: Token = { mint: mint.address, decimals: 6, authority: owner };
  const { id: projectId, key } = await control.createProject({
    name: 'Night Library',
    tier: options.tier ?? 'business',
    ...(options.logo_url === undefined ? {} : { logo_url: options.logo_url }),
  });
  const api = apiOf(parts, key);
  await control.putAccount(owner.address, { lamports: 10_000_000_000n });
  const extended = options.extended === true ? extendedToken(control, mint.address, owner.address) : null;
  if (extended === null) {
    await control.putAccount(mint.address, { ...classicMint(owner.address), owner: TOKEN_PROGRAM });
    await control.setBalance(owner.address, mint.address, 0n);
  } else {
    await extended.put(owner.address, {});
  }
  const fund = (wallet: Address, tokens: bigint) =>
    extended === null ? control.setBalance(wallet, mint.address, tokens) : extended.open(wallet, tokens);
  const inNewBlock = async <T>(act: () => Promise<T>) => {
    await control.advance(SECOND);
    return act();
  };

  const addPlan: Scenario['addPlan'] = async (input, as = 'published') => {
    const slug = input.slug ?? input.name.toLowerCase();
    await control.createPlan(projectId, {
      owner: owner.address,
      mint: mint.address,
      amount: PRICE.toString(),
      period_hours: PERIOD / HOUR,
      ...input,
      slug,
    });
    if (as === 'draft') return slug;
    const transaction = await control.publishPlan(projectId, slug);
    await sendTransaction(rpc, await signTransaction(owner, transaction));
    await control.confirmPlan(projectId, slug);
    return slug;
  };

  const create: Scenario['create'] = (wallet, more = {}) =>
    api.post('/subscriptions', { plan: 'pro', wallet: wallet.address, external_id: 'customer-1', ...more });

  const issue: Scenario['issue'] = async (wallet, more) => {
    const answer = await create(wallet, more);
    expect(statusAndCode(answer)).toBe('201');
    return answer.body as unknown as IssuedCheckout;
  };

  const submit: Scenario['submit'] = async ({ subscription, transaction, terms }, wallet) =>
    api.post(`/subscriptions/${subscription.id}/submit`, {
      transaction: await signTransaction(wallet, transaction),
      terms_signature: await signMessage(wallet, terms.message),
    });

  const attempts: Scenario['attempts'] = async (id) => {
    const { body } = await api.get(`/subscriptions/${id}/attempts`, { limit: '100' });
    return [...(body['data'] as Body[])].reverse();
  };

  const events: Scenario['events'] = async (id) => {
    const { body } = await api.get('/events', { limit: '100', subscription: id });
    return (body['data'] as EventWire[]).toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  };

  const signed: Scenario['signed'] = async (action, id, wallet) => {
    await control.advance(SECOND);
    const answer = await api.post(`/subscriptions/${id}/${action}`);
    expect(statusAndCode(answer)).toBe('201');
    const wire = await signTransaction(wallet, String(answer.body['transaction']));
    const [signature] = Object.values(
      getTransactionDecoder().decode(getBase64Encoder().encode(wire)).signatures,
    );
    if (signature == null) throw new Error('The transaction has no signature.');
    return { wire, signature: getBase58Decoder().decode(signature) };
  };

  const confirm: Scenario['confirm'] = (action, id, signature) =>
    api.post(`/subscriptions/${id}/${action}/confirm`, { signature });

  const planAddress: Scenario['planAddress'] = async (slug = 'pro') => {
    const other = await generateKeyPairSigner();
    await control.putAccount(other.address, { lamports: 1_000_000_000n });
    await fund(other.address, 2n ** 60n);
    const { terms } = await issue(other, { plan: slug, external_id: `other ${other.address}` });
    return address(/^Plan: (.+)$/m.exec(terms.message)?.[1] ?? '');
  };

  const access: Scenario['access'] = async (query) => {
    const answer = await api.get('/access', query);
    expect(statusAndCode(answer)).toBe('200');
    return answer.body;
  };

  await addPlan({
    name: 'Pro',
    ...options.plan,
    ...(options.endsAfter === undefined
      ? {}
      : { ends_at: new Date(control.now().getTime() + options.endsAfter).toISOString() }),
    ...(options.ownerOnly === true ? { destinations: [owner.address] } : {}),
  });
  const planAddresses = new Map<string, Promise<Address>>();

  return {
    ...{ control, rpc, projectId, key, api, token, owner, addPlan, create, issue, submit, attempts, events },
    ...{ signed, confirm, access, planAddress },
    as: (other) => apiOf(parts, other),
    async wallet(tokens = 10n * PRICE, key) {
      const wallet = key ?? (await generateKeyPairSigner());
      await control.putAccount(wallet.address, { lamports: 1_000_000_000n });
      await fund(wallet.address, tokens);
      return wallet;
    },
    setHolding: (wallet, tokens) => control.setBalance(wallet.address, mint.address, tokens),
    holding: async (wallet) => (await tokenBalanceOf(rpc, token, wallet.address)) ?? 0n,
    fresh: (id) => api.post(`/subscriptions/${id}/transaction`),
    async subscribe(wallet, more) {
      const first = await issue(wallet, more);
      const answer = await submit(first, wallet);
      expect(statusAndCode(answer)).toBe('201');
      return first.subscription.id;
    },
    async read(id) {
      const answer = await api.get(`/subscriptions/${id}`);
      expect(statusAndCode(answer)).toBe('200');
      const one = answer.body;
      const { wallet, plan } = one as { wallet: string; plan: string };
      const accessAnswer = await access({ wallet, plan, attempts: 'true' });
      if (accessAnswer['subscription_id'] === id) {
        for (const field of SHARED) expect(accessAnswer[field], `access: ${field}`).toEqual(one[field]);
      }
      return one;
    },
    attempts,
    outcomes: async (id) =>
      (await attempts(id)).slice(1).map(({ outcome, reason }) => `${String(outcome)} ${String(reason)}`),
    eventTypes: async (id) => (await events(id)).map(({ type }) => type.replace('subscription.', '')),
    async act(action, id, wallet) {
      const { wire, signature } = await signed(action, id, wallet);
      await sendTransaction(rpc, wire);
      return confirm(action, id, signature);
    },
    async guard(wallet) {
      await extended?.open(wallet, 10n * PRICE, true);
    },
    async extend(how) {
      if (extended === null)
        throw new Error('The token of this scenario has no extensions: open it with `extended: true`.');
      await extended.put(owner.address, how);
    },
    async outside(wallet, slug = 'pro') {
      const known = planAddresses.get(slug) ?? planAddress(slug);
      planAddresses.set(slug, known);
      return outsideActions({
        ...{ rpc, token, owner, wallet, inNewBlock },
        plan: await planFacts(rpc, await known),
        put: (account, parts) => control.putAccount(account, parts),
      });
    },
  };
}

/** A mint of the classic token program that only its owner can mint and freeze. */
function classicMint(authority: Address): { readonly data: Uint8Array; readonly lamports: bigint } {
  const data = getMintEncoder().encode({
    mintAuthority: authority,
    supply: 0n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: authority,
    extensions: null,
  });
  return { data: new Uint8Array(data), lamports: 10_000_000n };
}
