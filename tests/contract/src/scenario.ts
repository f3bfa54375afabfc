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
import type { EventWire, PlanInput, TierName } from '@subrail/core';
import { getMintEncoder } from '@solana-program/token-2022';
import { expect } from 'vitest';

import { holdingOf, type DemoToken } from '@subrail/host-node/local';
import { sendWire, signBuilt, signText } from '@subrail/host-node/local';
import { interfere, planFacts, type OutsideActions } from '@subrail/test-world';
import { apiOf, type Answer, type Api, type Body, type ClientParts } from './client.js';
import type { Control } from './control.js';
import { extendedToken, type Extended } from './extended-token.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Of every plan that is not told otherwise: four of them fit into the 30 days for which events are listed. */
export const PERIOD = 7 * DAY;
export const PRICE = 5_000_000n;

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

export interface SceneOptions {
  readonly tier?: TierName;
  readonly plan?: Partial<Omit<PlanInput, 'owner' | 'mint'>>;
  /** The project's picture. */
  readonly logo_url?: string;
  /** The plan ends so long after the scene begins. */
  readonly endsAfter?: number;
  /** Only the owner's wallet may receive. */
  readonly ownerOnly?: boolean;
  /** The token is one of Token-2022, which its issuer can pause and let run a program. */
  readonly extended?: boolean;
}

/** What create and transaction hand out. */
export interface IssuedCheckout {
  readonly subscription: { readonly id: string };
  readonly transaction: string;
  readonly terms: { readonly message: string; readonly expires_at: string };
}

/** A project of its own with a published plan `pro` and its owner: what one test plays in. */
export interface Scene {
  readonly control: Control;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly projectId: string;
  readonly key: string;
  readonly api: Api;
  readonly token: DemoToken;
  readonly owner: KeyPairSigner;
  /** Another key of the service, for the same or another project. */
  as(key: string | null): Api;
  /** A further plan of the project, published unless told otherwise; answers its slug. */
  addPlan(input: Partial<PlanInput> & { readonly name: string }, as?: 'draft' | 'published'): Promise<string>;
  /** A wallet with lamports and tokens, of a key of its own unless one is given. */
  wallet(tokens?: bigint, key?: KeyPairSigner): Promise<KeyPairSigner>;
  holds(wallet: KeyPairSigner, tokens: bigint): Promise<void>;
  holding(wallet: KeyPairSigner): Promise<bigint>;
  create(wallet: KeyPairSigner, more?: Body): Promise<Answer>;
  /** The same, answered 201. */
  handed(wallet: KeyPairSigner, more?: Body): Promise<IssuedCheckout>;
  fresh(id: string): Promise<Answer>;
  submit(handed: IssuedCheckout, wallet: KeyPairSigner): Promise<Answer>;
  /** Create, sign, submit; answers the subscription's id. */
  subscribe(wallet: KeyPairSigner, more?: Body): Promise<string>;
  /** The subscription as retrieve answers it; the access route is held to say the same. */
  read(id: string): Promise<Body>;
  access(query: Record<string, string>): Promise<Body>;
  /** Every attempt, oldest first. */
  attempts(id: string): Promise<readonly Body[]>;
  /** The same after the first payment, as `outcome reason`. */
  outcomes(id: string): Promise<readonly string[]>;
  /** Every event of the subscription, oldest first. */
  events(id: string): Promise<readonly EventWire[]>;
  /** The same, by short names. */
  told(id: string): Promise<readonly string[]>;
  /** Builds cancel, resume or close, signed by the wallet and not sent. */
  signed(action: Action, id: string, wallet: KeyPairSigner): Promise<Signed>;
  confirm(action: Action, id: string, signature: string): Promise<Answer>;
  /** Build, sign, send, confirm. */
  act(action: Action, id: string, wallet: KeyPairSigner): Promise<Answer>;
  /** What the issuer of an extended token, or its receiver, does. */
  extend(how: Extended): Promise<void>;
  /** What others can do on chain to this wallet's subscription. */
  others(wallet: KeyPairSigner, slug?: string): Promise<OutsideActions>;
  /** Where a plan stands on chain, as its terms say. */
  planAddress(slug?: string): Promise<Address>;
}

export type Action = 'cancel' | 'resume' | 'close';

export interface Signed {
  readonly wire: Awaited<ReturnType<typeof signBuilt>>;
  readonly signature: string;
}

/** `201`, `409 plan_ended`, `201 nothing_landed`: an answer in short. */
export function short({ status, body }: Answer): string {
  const code = body['code'] ?? body['reason_code'];
  return typeof code === 'string' ? `${status} ${code}` : String(status);
}

/** The fields an access answer has of its subscription. */
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

export async function openScene(
  parts: ClientParts,
  control: Control,
  options: SceneOptions = {},
): Promise<Scene> {
  const rpc = createSolanaRpc(control.rpcUrl);
  const [owner, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const token: DemoToken = { mint: mint.address, decimals: 6, authority: owner };
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
  const purse = (wallet: Address, tokens: bigint) =>
    extended === null ? control.setBalance(wallet, mint.address, tokens) : extended.open(wallet, tokens);
  const inNewBlock = async <T>(act: () => Promise<T>) => {
    await control.move(SECOND);
    return act();
  };

  const addPlan: Scene['addPlan'] = async (input, as = 'published') => {
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
    await sendWire(rpc, await signBuilt(owner, transaction));
    await control.confirmPlan(projectId, slug);
    return slug;
  };

  const create: Scene['create'] = (wallet, more = {}) =>
    api.post('/subscriptions', { plan: 'pro', wallet: wallet.address, external_id: 'customer-1', ...more });

  const handed: Scene['handed'] = async (wallet, more) => {
    const answer = await create(wallet, more);
    expect(short(answer)).toBe('201');
    return answer.body as unknown as IssuedCheckout;
  };

  const submit: Scene['submit'] = async ({ subscription, transaction, terms }, wallet) =>
    api.post(`/subscriptions/${subscription.id}/submit`, {
      transaction: await signBuilt(wallet, transaction),
      terms_signature: await signText(wallet, terms.message),
    });

  const attempts: Scene['attempts'] = async (id) => {
    const { body } = await api.get(`/subscriptions/${id}/attempts`, { limit: '100' });
    return [...(body['data'] as Body[])].reverse();
  };

  const events: Scene['events'] = async (id) => {
    const { body } = await api.get('/events', { limit: '100', subscription: id });
    return [...(body['data'] as EventWire[])].reverse();
  };

  const signed: Scene['signed'] = async (action, id, wallet) => {
    await control.move(SECOND);
    const answer = await api.post(`/subscriptions/${id}/${action}`);
    expect(short(answer)).toBe('201');
    const wire = await signBuilt(wallet, String(answer.body['transaction']));
    const [signature] = Object.values(
      getTransactionDecoder().decode(getBase64Encoder().encode(wire)).signatures,
    );
    if (signature == null) throw new Error('the wallet signed');
    return { wire, signature: getBase58Decoder().decode(signature) };
  };

  const confirm: Scene['confirm'] = (action, id, signature) =>
    api.post(`/subscriptions/${id}/${action}/confirm`, { signature });

  const planAddress: Scene['planAddress'] = async (slug = 'pro') => {
    const stranger = await generateKeyPairSigner();
    await purse(stranger.address, 2n ** 60n);
    const { terms } = await handed(stranger, { plan: slug, external_id: `stranger ${stranger.address}` });
    return address(/^Plan: (.+)$/m.exec(terms.message)?.[1] ?? '');
  };

  const access: Scene['access'] = async (query) => {
    const answer = await api.get('/access', query);
    expect(short(answer)).toBe('200');
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
  const where = new Map<string, Promise<Address>>();

  return {
    ...{ control, rpc, projectId, key, api, token, owner, addPlan, create, handed, submit, attempts, events },
    ...{ signed, confirm, access, planAddress },
    as: (other) => apiOf(parts, other),
    async wallet(tokens = 10n * PRICE, key) {
      const wallet = key ?? (await generateKeyPairSigner());
      await control.putAccount(wallet.address, { lamports: 1_000_000_000n });
      await purse(wallet.address, tokens);
      return wallet;
    },
    holds: (wallet, tokens) => control.setBalance(wallet.address, mint.address, tokens),
    holding: async (wallet) => (await holdingOf(rpc, token, wallet.address)) ?? 0n,
    fresh: (id) => api.post(`/subscriptions/${id}/transaction`),
    async subscribe(wallet, more) {
      const first = await handed(wallet, more);
      const answer = await submit(first, wallet);
      expect(short(answer)).toBe('201');
      return first.subscription.id;
    },
    async read(id) {
      const answer = await api.get(`/subscriptions/${id}`);
      expect(short(answer)).toBe('200');
      const one = answer.body;
      const { wallet, plan } = one as { wallet: string; plan: string };
      const told = await access({ wallet, plan, attempts: 'true' });
      if (told['subscription_id'] === id) {
        for (const field of SHARED) expect(told[field], `access: ${field}`).toEqual(one[field]);
      }
      return one;
    },
    attempts,
    outcomes: async (id) =>
      (await attempts(id)).slice(1).map(({ outcome, reason }) => `${String(outcome)} ${String(reason)}`),
    told: async (id) => (await events(id)).map(({ type }) => type.replace('subscription.', '')),
    async act(action, id, wallet) {
      const { wire, signature } = await signed(action, id, wallet);
      await sendWire(rpc, wire);
      return confirm(action, id, signature);
    },
    async extend(how) {
      if (extended === null) throw new Error('The token of this scene is a plain one.');
      await extended.put(owner.address, how);
    },
    async others(wallet, slug = 'pro') {
      const known = where.get(slug) ?? planAddress(slug);
      where.set(slug, known);
      return interfere({
        ...{ rpc, token, owner, wallet, inNewBlock },
        plan: await planFacts(rpc, await known),
        put: (account, parts) => control.putAccount(account, parts),
      });
    },
  };
}

/** A mint of the classic token program that its owner alone mints and freezes. */
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
