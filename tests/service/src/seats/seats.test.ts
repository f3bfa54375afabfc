import type { KeyPairSigner } from '@solana/kit';
import type { ProjectId } from '@subrail/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  DAY,
  HOUR,
  PRICE,
  actionsOf,
  type Action,
  createFaultyChain,
  issueCheckout,
  openTestWorld,
  statusAndCode,
  submitCheckout,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;

beforeEach(async () => {
  world = await openTestWorld();
});

/** A value that the test has made sure of. */
function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The value is missing.');
  return value;
}

const limit = (subscriber_limit: number | null) =>
  world.inNewBlock(() => world.billing.project(world.projectId).update({ subscriber_limit }));

const subscribe = async (name: string): Promise<{ id: string; wallet: KeyPairSigner }> => {
  const wallet = await world.wallet(10n * PRICE);
  return { id: await world.inNewBlock(() => world.subscribe(wallet, name)), wallet };
};

/** The events of one subscription after its first two, by their short names. */
const eventsOf = async (id: string) =>
  (await world.storedEvents())
    .filter(({ subscriptionId }) => subscriptionId === id)
    .sort((one, other) => one.sequence - other.sequence)
    .map(({ type }) => type.replace('subscription.', ''))
    .slice(2);

const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;

const passDays = async (days: number) => {
  for (let day = 0; day < days; day++) {
    world.advance(DAY);
    await world.work();
  }
};

const act = (id: string, wallet: KeyPairSigner, action: Action) => actionsOf(world, wallet, id).act(action);

// seats-and-tiers#what-a-seat-is, seats-and-tiers#when-seats-are-checked
it('a wallet with the last seat may subscribe to another plan, and no other wallet may', async () => {
  const { wallet } = await subscribe('a');
  await limit(1);
  await world.publishPlan(world.projectId, 'plus');
  const create = (address: string) =>
    world.call('POST', '/subscriptions', { plan: 'plus', wallet: address, external_id: 'b' });
  expect(statusAndCode(await create(wallet.address))).toBe('201');
  expect(statusAndCode(await create((await world.wallet(PRICE)).address))).toBe('409 seat_cap_reached');
});

describe('over the limit', () => {
  // seats-and-tiers#last-seat-among-open-checkouts, seats-and-tiers#when-seats-are-checked
  it('a checkout that lands all the same is accepted and parked', async () => {
    const chain = createFaultyChain();
    world = await openTestWorld({ wrapChain: chain.wrap });
    let sent = 0;
    let release = () => {};
    const bothSent = new Promise<void>((resolve) => (release = resolve));
    chain.inject((below) => ({
      async send(wires) {
        sent += wires.length;
        if (sent === 2) release();
        await bothSent;
        return below.send(wires);
      },
    }));
    await limit(1);
    const open = async (name: string) => {
      const wallet = await world.wallet(PRICE);
      return { wallet, checkout: await issueCheckout(world, wallet, name) };
    };
    const opened = [await open('a'), await open('b'), await open('c')];
    const submit = async ({ wallet, checkout }: (typeof opened)[number]) =>
      statusAndCode(await submitCheckout(world, wallet, checkout));
    // Both find the last seat free, because neither lands before the other is sent.
    expect(await Promise.all(opened.slice(0, 2).map(submit))).toEqual(['201', '201']);
    expect(await submit(given(opened[2]))).toBe('409 seat_cap_reached');
    const ids = opened.slice(0, 2).map(({ checkout }) => checkout.subscription.id);
    const events = await Promise.all(ids.map(eventsOf));
    expect(events.toSorted()).toEqual([[], ['paused']]);
    const parked = ids[events.findIndex(({ length }) => length > 0)];
    expect(await read(given(parked))).toMatchObject({
      status: 'active',
      paused: true,
      payment_status: 'none',
      next_charge_at: null,
      access: true,
    });
  });

  // seats-and-tiers#parked-subscription-as-read, cancel-resume-close#reads-at-the-expiry
  it('a parked cancellation shows paused until it shows ended, in every answer and every event', async () => {
    const [{ id, wallet }] = [await subscribe('a')];
    await act(id, wallet, 'cancel');
    await limit(0);
    const answers = async () => {
      const [access, list] = await Promise.all([
        world.call('GET', `/access?wallet=${wallet.address}&plan=pro`),
        world.call('GET', `/subscriptions?wallet=${wallet.address}`),
      ]);
      return [await read(id), access.body, (list.body['data'] as Record<string, unknown>[])[0]];
    };
    const running = { status: 'cancelled', paused: true };
    expect(await answers()).toMatchObject([running, running, running]);
    world.advance(30 * DAY);
    const over = { status: 'ended', end_reason: 'cancelled', paused: false };
    expect(await answers()).toMatchObject([over, over, over]);
    await world.work();
    expect(await eventsOf(id)).toEqual(['cancelled', 'paused', 'access_revoked', 'ended']);
    for (const { data } of (await world.storedEvents()).slice(-2)) expect(data).toMatchObject(over);
  });

  // seats-and-tiers#when-seats-are-swept
  it('an ending returns a parked seat, and the hourly sweep makes up for a change that no call saw', async () => {
    const [a, b] = [await subscribe('a'), await subscribe('b')];
    await limit(1);
    expect(await eventsOf(b.id)).toEqual(['paused']);
    expect(statusAndCode(await act(a.id, a.wallet, 'cancel'))).toBe('201');
    await passDays(31);
    expect(await eventsOf(a.id)).toEqual(['cancelled', 'access_revoked', 'ended']);
    expect((await eventsOf(b.id)).at(-2)).toBe('unpaused');
    const project = given(await world.store.findProject(world.projectId as ProjectId));
    await world.store.updateProject({ ...project, subscriberLimit: 0 });
    await world.work();
    expect((await read(b.id))['paused']).toBe(false);
    world.advance(HOUR);
    await world.work();
    expect((await read(b.id))['paused']).toBe(true);
  });

  // management#project-update
  it('a downgrade of the tier parks what is over its limit, and an upgrade returns it', async () => {
    const { id } = await subscribe('a');
    await world.billing.project(world.projectId).update({ subscriber_limit: 0 });
    expect(await eventsOf(id)).toEqual(['paused']);
    await expect(world.billing.project('proj_none').update({})).rejects.toMatchObject({ code: 'not_found' });
    const renamed = await world.billing.project(world.projectId).update({
      name: 'Day Library',
      tier: 'free',
    });
    expect(renamed).toMatchObject({ name: 'Day Library', tier: 'free' });
    expect((await read(id))['paused']).toBe(true);
    await world.billing.project(world.projectId).update({ tier: 'dev', subscriber_limit: null });
    expect(await eventsOf(id)).toEqual(['paused', 'unpaused']);
  });
});

describe('the settling of seats', () => {
  // seats-and-tiers#when-seats-are-swept, invariants#seats-within-the-limit
  it('by several hosts at once parks and returns each wallet once', async () => {
    const subscribed = [await subscribe('a'), await subscribe('b'), await subscribe('c')];
    const hosts = [world.billing, world.host(world.store).billing, world.host(world.store).billing];
    const change = (subscriber_limit: number | null) =>
      Promise.all(hosts.map((host) => host.project(world.projectId).update({ subscriber_limit })));
    await change(1);
    await change(null);
    const events = await Promise.all(subscribed.map(({ id }) => eventsOf(id)));
    expect(events).toEqual([[], ['paused', 'unpaused'], ['paused', 'unpaused']]);
  });

  // seats-and-tiers#when-seats-are-swept
  it('is made up for by a host that starts, when the one before died after a commit', async () => {
    const { id } = await subscribe('a');
    const project = given(await world.store.findProject(world.projectId as ProjectId));
    await world.store.updateProject({ ...project, subscriberLimit: 0 });
    await world.host(world.store).billing.worker.charge();
    expect(await eventsOf(id)).toEqual(['paused']);
  });
});
