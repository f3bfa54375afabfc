import type { ProjectId, VerifiedToken } from '@subrail/core/ports';
import { address, type Address } from '@solana/kit';
import { createHttpSender } from '@subrail/adapters/node';
import { createRequestHandler, createRefuse } from '@subrail/core';
import { serveLocalnet } from '@subrail/localnet';
import { serve } from '@subrail/host-node';
import { openLocalService, openTestStore, callsAnswered } from '@subrail/test-world';
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Control, ControlledProject, Fault } from './control.js';
import { createFaultInjection } from './fault-injection.js';

/** How long the server waits for open connections when it stops. */
const SHUTDOWN_TIMEOUT_MS = 1_000;

/** The texts in the log of the errors that each fault causes. No other error contains them. */
const ERROR_TEXTS: Readonly<Record<Fault, readonly string[]>> = {
  chain_unreachable: ['network_unavailable', 'transport'],
  chain_error: ['network_unavailable', '-32005'],
  sends_lost: [],
  blocks_stopped: [],
  outcomes_unknown: [],
  writes_conflict: [],
  store_unavailable: ['the database is unavailable'],
  store_broken: ['the database is broken'],
  worker_stopped: [],
};

/**
 * The local service under test: the host's HTTP server over SQLite, the real Solana adapter and a local
 * chain. Time moves only when the suite moves it or the service sleeps, so no test waits.
 *
 * In `contract-postgres` the store is on PostgreSQL, and two hosts behind one address answer in turn.
 */
export async function openControl(): Promise<Control> {
  const faults = createFaultInjection();
  const prices = new Map<string, string>();
  const tokens = new Map<string, VerifiedToken>();
  const keys = new Map<string, { readonly projectId: string; readonly id: string }>();
  const hasTwoHosts = inject('everyStore') !== undefined;
  const path = hasTwoHosts ? `:memory:${randomUUID()}` : ':memory:';
  const first = await openTestStore('sqlite', path);
  const service = await openLocalService({
    store: first.store,
    idle: callsAnswered,
    wrapChain: faults.wrapChain,
    wrapStore: faults.wrapStore,
    ports: {
      sender: createHttpSender({ allowPrivate: true }),
      prices: { usd: async (mint) => prices.get(mint) ?? null },
      tokens: { list: async () => [...tokens.values()] },
      settings: { privateTargets: true },
    },
  });
  const { billing, store, localnet, log } = service;
  const { advance, whileFrozen } = service.clock;
  const now = () => service.clock.now();
  const second = hasTwoHosts ? await openTestStore('sqlite', path) : null;
  const hosts = second === null ? [billing] : [billing, service.billingOn(second.store)];
  const handlers = hosts.map((host) => createRequestHandler(host));
  let requests = 0;
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: 0,
    handle: (request) => (handlers[requests++ % handlers.length] as (typeof handlers)[number])(request),
    refuse: createRefuse(billing.service.random),
    logger: billing.service.logger,
    shutdownTimeoutMs: SHUTDOWN_TIMEOUT_MS,
  });
  const rpc = await serveLocalnet(localnet, { port: 0 });

  /** Time stands still, because the receiver, outside of the test world, takes real time. */
  const deliver = () => whileFrozen(() => billing.worker.deliver());

  /** Moves time to the worker's next work, or to `until` when that is earlier, by whole seconds. */
  async function advanceToNextWork(until: number): Promise<void> {
    const wakeAt = faults.isActive('worker_stopped') ? null : await store.nextWakeAt();
    const ms = Math.min(until, wakeAt?.getTime() ?? until) - now().getTime();
    advance(Math.ceil(Math.max(1_000, ms) / 1_000) * 1_000);
  }

  async function runWorker(): Promise<void> {
    if (faults.isActive('worker_stopped')) return;
    await service.work();
    await deliver();
  }

  async function newKey(projectId: string): Promise<string> {
    const { id, key } = await billing.project(projectId).keys.create();
    keys.set(key, { projectId, id });
    return key;
  }

  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    rpcUrl: rpc.url,
    hosts: hosts.length,
    async createProject(input): Promise<ControlledProject> {
      const { id } = await billing.projects.create(input);
      return { id, key: await newKey(id) };
    },
    createKey: newKey,
    async revokeKey(key) {
      const created = keys.get(key);
      if (created === undefined) throw new Error('This control did not create the key.');
      await billing.project(created.projectId).keys.revoke(created.id);
    },
    async createPlan(projectId, input) {
      await billing.project(projectId).plans.create(input);
    },
    publishPlan: async (projectId, slug) =>
      (await billing.project(projectId).plans.publish(slug)).transaction,
    async confirmPlan(projectId, slug) {
      await billing.project(projectId).plans.confirmPublish(slug);
    },
    async retirePlan(projectId, slug, status) {
      const plan = await store.findPlanBySlug(projectId as ProjectId, slug);
      if (plan === null) throw new Error(`There is no plan ${slug}.`);
      await store.updatePlan({ ...plan, version: plan.version + 1, status });
    },
    setPrice(mint, usd) {
      if (usd === null) prices.delete(mint);
      else prices.set(mint, usd);
    },
    setToken: (mint, facts) => void tokens.set(mint, { mint, ...facts }),
    createEndpoint: (projectId, url, types) =>
      billing.project(projectId).endpoints.create({ url, types: [...types] }),
    rotateSecret: async (projectId, endpointId, overlap_hours) =>
      (await billing.project(projectId).endpoints.rotateSecret(endpointId, { overlap_hours })).secret,
    endpoint: (projectId, endpointId) => billing.project(projectId).endpoints.retrieve(endpointId),
    now,
    async pass(ms) {
      const until = now().getTime() + ms;
      await runWorker();
      while (now().getTime() < until) {
        await advanceToNextWork(until);
        await runWorker();
      }
    },
    advance: async (ms) => advance(ms),
    async runWorkerOnce() {
      await billing.worker.charge();
      await deliver();
    },
    putAccount: async (account, { owner, ...parts }) =>
      localnet.setAccount(address(account), {
        ...parts,
        ...(owner === undefined ? {} : { owner: address(owner) }),
      }),
    setBalance: async (wallet, mint, amount, tokenProgram) =>
      void localnet.setTokenAccount(
        address(wallet),
        address(mint),
        { amount },
        tokenProgram === undefined ? undefined : (tokenProgram as Address),
      ),
    fault(fault, active) {
      faults.set(fault, active);
      // A fault explains its errors in the log. Any other logged error fails the file at its end.
      if (!active) for (const text of ERROR_TEXTS[fault]) log.forgiveErrors(text);
    },
    before: (moment, act) => faults.before(moment, act),
    refuseNextSend: (code) => faults.refuseNextSend(code),
    async close() {
      await Promise.all([server.stop(), rpc.close()]);
      await Promise.all([first.close(), second?.close()]);
      await service.close();
    },
  };
}
