import type { OpenApiDocument, ProjectBilling } from '@subrail/core';
import type { Manager } from '@subrail/core/client';
import type { ProjectId } from '@subrail/core/ports';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { DAY, type TestWorld } from '@subrail/test-world';
import { giveUpMails, subscribeByMail } from '../mails/mail-world.js';
import { giveBack } from './give-back.js';

/** A service, in process or over HTTP, its one project, and the world that it is in. */
export interface Reached {
  readonly world: TestWorld;
  readonly manager: Manager;
  readonly shop: ProjectBilling;
}

let made = 0;
const newName = (start: string) => `${start}-${String.fromCharCode(97 + (made++ % 26))}${made}`;

const newEndpoint = ({ shop }: Reached) =>
  shop.endpoints.create({
    url: `https://hooks.example.com/${newName('hook')}`,
    types: ['subscription.created'],
  });

export const newPlan = ({ world, shop }: Reached) =>
  shop.plans.create({
    name: newName('plan'),
    owner: world.owner.address,
    mint: world.token.mint,
    amount: '5000000',
    period_hours: 24,
  });

async function newOnChain(reached: Reached): Promise<string> {
  const { slug } = await newPlan(reached);
  await land(reached.world, (await reached.shop.plans.publish(slug)).transaction);
  return slug;
}

const inDays = (world: TestWorld, days: number) => new Date(world.now().getTime() + days * DAY).toISOString();

const land = (world: TestWorld, transaction: string) =>
  world.inNewBlock(async () => {
    await sendTransaction(world.rpc, await signTransaction(world.owner, transaction));
  });

async function newPublished(reached: Reached): Promise<string> {
  const slug = await newOnChain(reached);
  await reached.shop.plans.confirmPublish(slug);
  return slug;
}

async function newEnded(reached: Reached): Promise<string> {
  const { world, shop } = reached;
  const slug = await newPublished(reached);
  await land(world, (await shop.plans.shorten(slug, { ends_at: inDays(world, 2) })).transaction);
  await shop.plans.confirmUpdate(slug);
  world.advance(3 * DAY);
  return slug;
}

type Call = (reached: Reached) => Promise<unknown>;

/**
 * How each operation of management is called, on what it makes itself, under the tier or capability of a
 * store that it needs.
 */
const BY_NEED: Readonly<
  Record<
    'Store' | 'SessionStore' | 'ManagementStore' | 'ReportStore' | 'FigureStore' | 'MailStore',
    Readonly<Record<string, Call>>
  >
> = {
  Store: {
    'projects.create': ({ manager }) => manager.projects.create({ name: newName('project') }),
    'projects.list': ({ manager }) => manager.projects.list(),
    'projects.detail': ({ shop }) => shop.detail(),
    'keys.create': ({ shop }) => shop.keys.create({ name: 'Web server' }),
    'plans.create': newPlan,
    'plans.publish': async (reached) => reached.shop.plans.publish((await newPlan(reached)).slug),
    'plans.confirmPublish': async (reached) => reached.shop.plans.confirmPublish(await newOnChain(reached)),
    'plans.all': ({ shop }) => shop.plans.all(),
    'plans.detail': async (reached) => reached.shop.plans.detail((await newPlan(reached)).slug),
    'plans.update': async (reached) =>
      reached.shop.plans.update((await newPlan(reached)).slug, { description: 'For a day' }),
    'plans.discard': async (reached) => reached.shop.plans.discard((await newPlan(reached)).slug),
    'plans.sunset': async (reached) =>
      reached.shop.plans.sunset(await newPublished(reached), { ends_at: inDays(reached.world, 9) }),
    'plans.shorten': async (reached) =>
      reached.shop.plans.shorten(await newPublished(reached), { ends_at: inDays(reached.world, 9) }),
    'plans.changePullers': async (reached) =>
      reached.shop.plans.changePullers(await newPublished(reached), {
        pullers: [reached.world.charger.address],
      }),
    'plans.submit': async ({ world, shop, ...reached }) => {
      const { slug } = await newPlan({ world, shop, ...reached });
      const transaction = await signTransaction(world.owner, (await shop.plans.publish(slug)).transaction);
      return world.inNewBlock(() => shop.plans.submit(slug, { transaction }));
    },
    'plans.confirmUpdate': async (reached) =>
      reached.shop.plans.confirmUpdate(await newPublished(reached), { status: 'active' }),
    'plans.delete': async (reached) => reached.shop.plans.delete(await newEnded(reached)),
    'plans.confirmDelete': async (reached) => {
      const slug = await newEnded(reached);
      await land(reached.world, (await reached.shop.plans.delete(slug)).transaction);
      return reached.shop.plans.confirmDelete(slug);
    },
    'endpoints.create': newEndpoint,
    'endpoints.list': ({ shop }) => shop.endpoints.list(),
    'endpoints.retrieve': async (reached) => reached.shop.endpoints.retrieve((await newEndpoint(reached)).id),
    'endpoints.update': async (reached) =>
      reached.shop.endpoints.update((await newEndpoint(reached)).id, { types: ['subscription.ended'] }),
    'endpoints.disable': async (reached) => reached.shop.endpoints.disable((await newEndpoint(reached)).id),
    'endpoints.enable': async (reached) => reached.shop.endpoints.enable((await newEndpoint(reached)).id),
    'endpoints.delete': async (reached) => reached.shop.endpoints.delete((await newEndpoint(reached)).id),
    'endpoints.rotateSecret': async (reached) =>
      reached.shop.endpoints.rotateSecret((await newEndpoint(reached)).id, { overlap_hours: 1 }),
    'mails.settings': ({ shop }) => shop.mails.settings(),
    'mails.preview': ({ shop }) => shop.mails.preview({ kind: 'stopped', language: 'de' }),
    'subscriptions.explain': async ({ shop }) => {
      const { data } = await shop.subscriptions.list({ external_id: 'reader' });
      return shop.subscriptions.explain(data[0]?.id ?? '');
    },
    'subscriptions.update': async ({ shop }) => {
      const { data } = await shop.subscriptions.list({ external_id: 'reader' });
      return shop.subscriptions.update(data[0]?.id ?? '', { email: 'ada@example.org' });
    },
  },
  SessionStore: {
    'projects.look': ({ shop }) => shop.look(),
    'projects.updateLook': ({ shop }) => shop.updateLook({ accent: '#0A7D5A' }),
    'checkouts.create': ({ shop }) => shop.checkouts.create({ plan: 'pro', external_id: 'reader' }),
    'checkouts.retrieve': async ({ shop }) =>
      shop.checkouts.retrieve((await shop.checkouts.create({ plan: 'pro' })).id),
    'portal.create': ({ shop }) => shop.portal.create({ external_id: 'reader' }),
    'links.create': ({ shop }) => shop.links.create({ plan: 'pro' }),
    'links.list': async ({ shop }) => {
      await shop.links.create({ plan: 'pro' });
      return shop.links.list();
    },
    'links.end': async ({ shop }) => shop.links.end((await shop.links.create({ plan: 'pro' })).id),
  },
  ManagementStore: {
    'projects.update': ({ shop }) => shop.update({ name: 'Renamed' }),
    'projects.delete': async ({ manager }) =>
      manager.project((await manager.projects.create({ name: newName('trial') })).id).delete(),
    'keys.list': ({ shop }) => shop.keys.list(),
    'keys.rotate': async ({ shop }) => shop.keys.rotate((await shop.keys.create()).id, { overlap_hours: 1 }),
    'keys.revoke': async ({ shop }) => shop.keys.revoke((await shop.keys.create()).id),
    'endpoints.test': async (reached) => reached.shop.endpoints.test((await newEndpoint(reached)).id),
    'endpoints.recover': async (reached) =>
      reached.shop.endpoints.recover((await newEndpoint(reached)).id, {
        since: reached.world.now().toISOString(),
      }),
    'deliveries.retrieve': async (reached) => reached.shop.deliveries.retrieve((await resend(reached)).id),
    'deliveries.resend': (reached) => resend(reached),
    'secrets.reseal': ({ manager }) => manager.secrets.reseal(),
    'management.createKey': ({ manager }) => newKey(manager),
    'management.listKeys': ({ manager }) => manager.management.listKeys(),
    'management.revokeKey': async ({ manager }) => manager.management.revokeKey((await newKey(manager)).id),
    'management.auditEntries': ({ manager }) => manager.management.auditEntries({ limit: 5 }),
  },
  ReportStore: {
    'deliveries.list': ({ shop }) => shop.deliveries.list({ limit: 5 }),
    'subscriptions.search': ({ shop }) => shop.subscriptions.search({ plan: 'pro', late: false }),
    'subscriptions.count': ({ shop }) => shop.subscriptions.count({ status: 'active' }),
    'subscriptions.failing': ({ shop }) => shop.subscriptions.failing({ plan: 'pro' }),
    'subscriptions.cannotPay': ({ shop }) => shop.subscriptions.cannotPay({ plan: 'pro', days: 60 }),
    'subscriptions.detail': async ({ shop }) => {
      const { data } = await shop.subscriptions.search();
      return shop.subscriptions.detail(data[0]?.id ?? '');
    },
    'payments.export': ({ shop }) => textOf(shop.payments.export({ format: 'csv', outcome: 'paid' })),
    'subscriptions.export': ({ shop }) => textOf(shop.subscriptions.export({ format: 'ndjson' })),
    'payments.recordRefund': async ({ world, shop }) => {
      const { data } = await shop.payments.list({ external_id: 'reader', outcome: 'paid', limit: 1 });
      const signature = await giveBack(world, data[0]?.wallet ?? '', 1n);
      return shop.payments.recordRefund(data[0]?.id ?? '', { signature });
    },
    'payments.receipt': async ({ shop }) => {
      const { data } = await shop.payments.list({ external_id: 'reader', outcome: 'paid', limit: 1 });
      return shop.payments.receipt(data[0]?.id ?? '');
    },
    'projects.seller': ({ shop }) => shop.seller(),
    'projects.updateSeller': ({ shop }) => shop.updateSeller({ address: ['Gasse 1', '1010 Wien'] }),
    'payments.list': ({ shop }) => shop.payments.list({ plan: 'pro', outcome: 'paid' }),
    'reports.upcoming': ({ shop }) => shop.reports.upcoming({ limit: 5 }),
    'doctor.examine': ({ shop }) => shop.doctor.examine(),
  },
  FigureStore: {
    'reports.schedule': ({ shop }) => shop.reports.schedule({ days: 60 }),
    'reports.overview': ({ shop }) => shop.reports.overview({ days: 90 }),
    'reports.figures': ({ shop }) => shop.reports.figures({ by: 'month', plan: 'pro' }),
    'reports.export': ({ shop }) => textOf(shop.reports.export({ format: 'csv', by: 'month' })),
    'reports.cohorts': ({ shop }) => shop.reports.cohorts({ months: 3 }),
    'reports.rebuild': ({ shop }) => shop.reports.rebuild(),
  },
  MailStore: {
    'mails.updateSettings': ({ shop }) => shop.mails.updateSettings({ off: ['ended'], language: 'de' }),
    'mails.list': async (reached) => {
      await newMail(reached);
      return reached.shop.mails.list({ state: 'pending', limit: 5 });
    },
    'mails.retrieve': async (reached) => reached.shop.mails.retrieve(await newMail(reached)),
    'mails.resend': async (reached) => {
      const id = await newMail(reached);
      await giveUpMails(reached.world);
      return reached.shop.mails.resend(id);
    },
    'mails.refused': async (reached) => {
      await refuse(reached, 'eve@example.com');
      return reached.shop.mails.refused();
    },
    'mails.acceptAddress': async (reached) => {
      await refuse(reached, 'ada@example.com');
      return reached.shop.mails.acceptAddress({ address: 'ada@example.com' });
    },
    'mails.test': ({ shop }) => shop.mails.test({ to: 'desk@example.com' }),
  },
};

/** The name of each operation of management, its call, and what it needs of a store. */
export const CALLS: readonly (readonly [name: string, call: Call, needs: string])[] = Object.entries(
  BY_NEED,
).flatMap(([needs, calls]) => Object.entries(calls).map(([name, call]) => [name, call, needs] as const));

/** The whole text of an export. */
export async function textOf(parts: Promise<AsyncIterable<string>>): Promise<string> {
  let text = '';
  for await (const part of await parts) text += part;
  return text;
}

const newKey = (manager: Manager) => manager.management.createKey({ name: 'Monitor', access: 'read' });

async function resend(reached: Reached) {
  const endpoint = await newEndpoint(reached);
  const { data } = await reached.shop.events.list({ limit: 1 });
  return reached.shop.deliveries.resend({ event: data[0]?.id ?? '', endpoint: endpoint.id });
}

async function newMail({ world, shop }: Reached): Promise<string> {
  await subscribeByMail(world);
  const { data } = await shop.mails.list({ limit: 1 });
  return data[0]?.id ?? '';
}

const refuse = ({ world }: Reached, address: string) =>
  world.store.refuseAddress({
    projectId: world.projectId as ProjectId,
    ...{ address, reason: 'No such user.', refusedAt: world.now() },
  });

/** The operations under `/manage/v1` by name: whether each is a change, and one of the contract. */
export async function managedOperations({
  billing,
}: TestWorld): Promise<ReadonlyMap<string, { readonly isChange: boolean; readonly isOfContract: boolean }>> {
  const answer = await billing.handler(new Request('https://billing.test/manage/openapi.json'));
  const { paths } = (await answer.json()) as Pick<OpenApiDocument, 'paths'>;
  return new Map(
    Object.entries(paths).flatMap(([path, { get, post }]) => {
      const isOfContract = path.includes('/v1/projects/{project}/v1/');
      const describe = ({ operationId }: { readonly operationId: string }, isChange: boolean) =>
        [operationId, { isChange, isOfContract }] as const;
      return [
        ...(get === undefined ? [] : [describe(get, false)]),
        ...(post === undefined ? [] : [describe(post, true)]),
      ];
    }),
  );
}
