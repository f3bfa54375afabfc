import { join } from 'node:path';
import { lamports, type Address, type Rpc, type RequestAirdropApi, type SolanaRpcApi } from '@solana/kit';
import { sendSigned } from '@subrail/adapters/solana';
import { ServiceError, type Billing } from '@subrail/core';
import { createMint, mintTo, tokenBalanceOf, type Token } from '@subrail/localnet';
import { readPrivateFile, writePrivateFile } from '../state/private-files.js';
import { DEMO_TOKEN } from './demo-token.js';
import type { LocalKeys } from './local-keys.js';

/** The RPC of a development chain, which also airdrops SOL. */
export type DevelopmentRpc = Rpc<SolanaRpcApi & RequestAirdropApi>;

const DEMO_PROJECT = 'Demo';

const PLAN = { slug: 'pro', name: 'Pro', amount: 5_000_000n, periodHours: 720 };
/** The demo wallet's tokens at the start, in the smallest unit. */
const WALLET_TOKENS = 100_000_000n;
const LAMPORTS_PER_SOL = 1_000_000_000n;

/** A project with a published plan and an API key, for trying the service out. */
export interface DemoProject {
  readonly projectId: string;
  readonly plan: typeof PLAN;
  readonly apiKey: string;
  readonly token: Token;
  /** The address of a link to the plan, at which the demo wallet can pay. */
  readonly checkoutUrl: string;
}

export interface DemoProjectOptions {
  readonly billing: Billing;
  readonly rpc: DevelopmentRpc;
  readonly keys: LocalKeys;
  /**
   * Where the project's id is stored, and the API key so that it can be printed at every start. The service
   * itself stores only a hash of the key.
   */
  readonly folder: string;
}

/**
 * Creates the missing parts of the demo project. A host killed in between continues at the next start.
 */
export async function ensureDemoProject({
  billing,
  rpc,
  keys,
  folder,
}: DemoProjectOptions): Promise<DemoProject> {
  await Promise.all([keys.charger, keys.owner].map(({ address }) => ensureSol(rpc, address)));
  const token = await ensureMint(rpc, keys);
  await ensureTokens(rpc, token, keys.owner.address, 0n);
  await fundWallet(rpc, keys, keys.wallet.address);
  const projectId = await ensureProject(billing, folder);
  await ensurePlan({ billing, rpc, keys, folder }, projectId, token);
  const apiKey = await ensureApiKey(billing, projectId, folder);
  return { projectId, plan: PLAN, apiKey, token, checkoutUrl: await ensureLink(billing, projectId) };
}

async function ensureSol(rpc: DevelopmentRpc, wallet: Address): Promise<void> {
  const { value: balance } = await rpc.getBalance(wallet).send();
  if (balance < LAMPORTS_PER_SOL) await rpc.requestAirdrop(wallet, lamports(10n * LAMPORTS_PER_SOL)).send();
}

function demoTokenOf({ mint, owner: authority }: LocalKeys): Token {
  return { mint: mint.address, decimals: DEMO_TOKEN.decimals, authority };
}

/** Gives a wallet SOL and demo tokens, unless it has had them. */
export async function fundWallet(rpc: DevelopmentRpc, keys: LocalKeys, wallet: Address): Promise<void> {
  await ensureSol(rpc, wallet);
  await ensureTokens(rpc, demoTokenOf(keys), wallet, WALLET_TOKENS);
}

async function ensureMint(rpc: DevelopmentRpc, keys: LocalKeys): Promise<Token> {
  const { mint, owner } = keys;
  const token = demoTokenOf(keys);
  const { value: account } = await rpc.getAccountInfo(mint.address, { encoding: 'base64' }).send();
  return account === null ? createMint(rpc, owner, mint, token) : token;
}

async function ensureTokens(
  rpc: DevelopmentRpc,
  token: Token,
  wallet: Address,
  amount: bigint,
): Promise<void> {
  if ((await tokenBalanceOf(rpc, token, wallet)) === null) await mintTo(rpc, token, wallet, amount);
}

/** The content of the id's file while the project is being created. */
const CREATING = 'creating';

/**
 * The id of the demo project, from its file: other projects are never taken for it. The file notes the
 * creation before it begins, so that a host killed in between finds the project again.
 */
async function ensureProject(billing: Billing, folder: string): Promise<string> {
  const path = join(folder, 'demo-project');
  const stored = readPrivateFile(path);
  if (stored !== null && stored !== CREATING && (await isProject(billing, stored))) return stored;
  const begun = stored === CREATING ? await projectWithoutPlan(billing) : null;
  const id = begun ?? (await createProject(billing, path));
  writePrivateFile(path, id);
  return id;
}

async function createProject(billing: Billing, path: string): Promise<string> {
  writePrivateFile(path, CREATING);
  return (await billing.projects.create({ name: DEMO_PROJECT })).id;
}

/** The demo project that a killed host created without a plan; null for none. */
async function projectWithoutPlan(billing: Billing): Promise<string | null> {
  for (const { id, name } of await billing.projects.list()) {
    if (name !== DEMO_PROJECT) continue;
    const { plans } = await billing.project(id).plans.list();
    if (plans.length === 0) return id;
  }
  return null;
}

/** Whether the service has a project. If the database was deleted, the stored id belongs to the old one. */
async function isProject(billing: Billing, projectId: string): Promise<boolean> {
  try {
    await billing.project(projectId).retrieve();
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return false;
    throw error;
  }
}

/** The id of the project that an API key belongs to; null when the service does not accept the key. */
async function projectOfKey(billing: Billing, apiKey: string): Promise<string | null> {
  const response = await billing.handler(
    new Request('http://localhost/v1/project', { headers: { authorization: `Bearer ${apiKey}` } }),
  );
  if (response.status === 401) return null;
  const project = (await response.json()) as { readonly id?: string };
  if (project.id === undefined)
    throw new Error(`The service did not name a key's project: ${response.status}.`);
  return project.id;
}

async function ensurePlan(
  { billing, rpc, keys }: DemoProjectOptions,
  projectId: string,
  token: Token,
): Promise<void> {
  const state = await planState(billing, projectId);
  if (state === 'published') return;
  if (state === 'missing') {
    await billing.project(projectId).plans.create({
      slug: PLAN.slug,
      name: PLAN.name,
      description: 'Everything, every month',
      owner: keys.owner.address,
      mint: token.mint,
      amount: String(PLAN.amount),
      period_hours: PLAN.periodHours,
      destinations: [keys.owner.address],
    });
  }
  const { transaction } = await billing.project(projectId).plans.publish(PLAN.slug);
  await sendSigned({ rpc, signer: keys.owner, transaction });
  await billing.project(projectId).plans.confirmPublish(PLAN.slug);
}

/**
 * The state of the demo plan. It is read by confirming the plan, which also publishes a draft whose
 * transaction landed just before the host was killed.
 */
async function planState(billing: Billing, projectId: string): Promise<'published' | 'draft' | 'missing'> {
  try {
    await billing.project(projectId).plans.confirmPublish(PLAN.slug);
    return 'published';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'plan_not_found') return 'missing';
    if (error.code === 'plan_not_on_chain') return 'draft';
    throw error;
  }
}

/** The address of the oldest link to the plan that was not ended, or of a new one. */
async function ensureLink(billing: Billing, projectId: string): Promise<string> {
  const { links } = billing.project(projectId);
  const open = (await links.list()).links.filter(
    ({ plan, ended_at }) => plan === PLAN.slug && ended_at === null,
  );
  return (open.at(-1) ?? (await links.create({ plan: PLAN.slug }))).url;
}

async function ensureApiKey(billing: Billing, projectId: string, folder: string): Promise<string> {
  const path = join(folder, 'api-key');
  const stored = readPrivateFile(path);
  if (stored !== null && (await projectOfKey(billing, stored)) === projectId) return stored;
  const { key } = await billing.project(projectId).keys.create();
  writePrivateFile(path, key);
  return key;
}
