import { generateKeyPairSigner } from '@solana/kit';
import type { BuildAnswer, ManagedPlan } from '@subrail/core/schemas';
import type { Chain } from '@subrail/core/ports';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import {
  refusal,
  MONTH,
  DAY,
  openTestWorld,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

let world: TestWorld;
/** Whether the deletion of a plan is not final yet. */
let isDeletionRecent = false;

function withRecentDeletion(chain: Chain): Chain {
  return {
    ...chain,
    async readPlans(addresses, commitment) {
      const reads = await chain.readPlans(addresses, commitment);
      if (!isDeletionRecent || commitment === 'confirmed') return reads;
      return reads.map(() => ({ ok: false, unavailable: { kind: 'transport' } }));
    },
  };
}

/** A world with the published plan `pro`. */
async function begin(options: TestWorldOptions = {}): Promise<void> {
  isDeletionRecent = false;
  world = await openTestWorld({ ...options, wrapChain: withRecentDeletion });
}

const plans = () => world.billing.project(world.projectId).plans;
const inDays = (days: number) =>
  new Date(Math.floor(world.now().getTime() / 1000) * 1000 + days * DAY).toISOString();

/** The owner signs and sends a transaction that was built. */
async function land({ transaction }: BuildAnswer): Promise<void> {
  await world.inNewBlock(async () =>
    sendTransaction(world.rpc, await signTransaction(world.owner, transaction)),
  );
}

const draft = (name: string, more: object = {}) =>
  plans().create({
    name,
    owner: world.owner.address,
    mint: world.token.mint,
    amount: '5000000',
    period_hours: 24,
    ...more,
  });

const statuses = (all: readonly ManagedPlan[]) => all.map(({ slug, status }) => [slug, status]);

describe('every plan of a project', () => {
  // management#plan-functions
  it('is listed with what only its operator sees, newest first, in whatever status', async () => {
    await begin();
    world.advance(1_000);
    const daily = await draft('Daily', {
      website: 'https://example.com/daily',
      destinations: [world.owner.address],
      retry_attempts: 2,
      retry_wait_minutes: 60,
    });
    expect(daily).toMatchObject({
      status: 'draft',
      available: false,
      website: 'https://example.com/daily',
      owner: world.owner.address,
      destinations: [world.owner.address],
      pullers: null,
      retry_attempts: 2,
      retry_wait_minutes: 60,
      operator_plan: false,
      one_per_customer: false,
    });
    expect(await plans().detail('daily')).toEqual(daily);
    expect(await plans().detail('pro')).toMatchObject({ pullers: [world.charger.address] });
    expect(statuses(await plans().all())).toEqual([
      ['daily', 'draft'],
      ['pro', 'active'],
    ]);
    expect(await refusal(plans().detail('none'))).toBe('plan_not_found');
  });
});

describe('details that are not on chain', () => {
  // plans#plan-update
  it('change at once, field by field; only a draft is renamed', async () => {
    await begin();
    const before = await plans().detail('pro');
    const description = 'Everything, for teams.';
    expect(await plans().update('pro', { description })).toEqual({ ...before, description });
    const logo_url = 'https://example.com/pro.png';
    expect(await plans().update('pro', { logo_url, description: null })).toEqual({ ...before, logo_url });
    expect((await world.call('GET', '/plans/pro')).body['logo_url']).toBe(logo_url);
    await draft('Daily');
    expect(await plans().update('daily', { name: 'Every day' })).toMatchObject({
      slug: 'daily',
      name: 'Every day',
    });
    expect(await refusal(plans().update('daily', { name: 'Pro' }))).toBe('plan_name_taken');
    expect(await refusal(plans().update('pro', { name: 'Other' }))).toBe('conflict');
    expect(await refusal(plans().update('pro', { website: 'http://example.com' }))).toBe('invalid_request');
    expect(await refusal(plans().update('none', {}))).toBe('plan_not_found');
  });
});

describe('a draft that never lands', () => {
  // plans#discarding-a-draft, plans#unique-name-and-slug, plans#plan-statuses
  it('is discarded, and frees its name and slug', async () => {
    await begin();
    world.advance(1_000);
    const first = await draft('Daily');
    expect(await plans().discard('daily')).toMatchObject({ id: first.id, status: 'failed' });
    expect(await refusal(plans().detail('daily'))).toBe('plan_not_found');
    world.advance(1_000);
    const second = await draft('Daily');
    expect((await plans().all()).map(({ id, status }) => [id, status]).slice(0, 2)).toEqual([
      [second.id, 'draft'],
      [first.id, 'failed'],
    ]);
  });
});

describe('a sunset', () => {
  // plans#changing-a-published-plan, plans#sunset-of-a-plan
  it('is built with the end that it needs, and confirmed by the chain', async () => {
    await begin();
    await expect(plans().sunset('pro')).rejects.toThrow('the plan has no end, and a sunset needs one');
    const ends_at = inDays(90);
    const built = await plans().sunset('pro', { ends_at });
    await expect(plans().confirmUpdate('pro', { status: 'sunset', ends_at })).rejects.toMatchObject({
      code: 'plan_mismatch',
      message:
        'The chain does not show the change yet: its status is active, it has no end. Have the owner sign and send its transaction, then confirm again.',
    });
    await land(built);
    expect(await plans().detail('pro')).toMatchObject({ status: 'active', ends_at: null });
    const confirmed = await plans().confirmUpdate('pro', { status: 'sunset', ends_at });
    expect(confirmed).toMatchObject({
      status: 'sunset',
      available: false,
      ends_at,
      pullers: [world.charger.address],
    });
    expect(await plans().confirmUpdate('pro')).toEqual(confirmed);
    expect(await refusal(plans().sunset('pro'))).toBe('conflict');
    expect(await refusal(plans().shorten('pro', { ends_at: inDays(60) }))).toBe('conflict');
  });

  // plans#sunset-of-a-plan
  it('keeps the end of a plan that has one', async () => {
    await begin({ endsAfter: 90 * DAY });
    const { ends_at } = await plans().detail('pro');
    await land(await plans().sunset('pro'));
    expect(await plans().confirmUpdate('pro')).toMatchObject({ status: 'sunset', ends_at });
  });
});

describe('an end', () => {
  // plans#changing-a-published-plan, plans#end-date-of-a-plan
  it('is set and brought forward, at least a period and five minutes away', async () => {
    await begin();
    const ends_at = inDays(90);
    await land(await plans().shorten('pro', { ends_at }));
    expect(await plans().confirmUpdate('pro', { ends_at })).toMatchObject({ ends_at });
    expect(await refusal(plans().shorten('pro', { ends_at: inDays(91) }))).toBe('end_date_too_far');
    expect(await refusal(plans().shorten('pro', { ends_at: inDays(30) }))).toBe('end_date_too_soon');
    const sooner = inDays(60);
    await land(await plans().shorten('pro', { ends_at: sooner }));
    expect(await plans().confirmUpdate('pro', { ends_at: sooner })).toMatchObject({ ends_at: sooner });
    world.advance(61 * DAY);
    expect(await refusal(plans().shorten('pro', { ends_at: inDays(60) }))).toBe('plan_ended');
    expect(await refusal(plans().changePullers('pro', { pullers: [world.charger.address] }))).toBe(
      'plan_ended',
    );
  });

  // plans#changing-a-published-plan
  it('that changed on chain meanwhile is end_date_stale, once', async () => {
    await begin();
    const outside = await world.outside(await world.wallet(0n));
    await outside.endAt(new Date(world.now().getTime() + 90 * DAY));
    expect(await refusal(plans().sunset('pro'))).toBe('end_date_stale');
    await land(await plans().sunset('pro'));
    expect(await plans().confirmUpdate('pro')).toMatchObject({ status: 'sunset' });
  });

  it('ends the access of its subscribers when it passes', async () => {
    await begin({ periodHours: 24 });
    const id = await world.subscribe(await world.wallet(500_000_000n), 'reader');
    await land(await plans().shorten('pro', { ends_at: inDays(3) }));
    await plans().confirmUpdate('pro');
    world.advance(4 * DAY);
    await world.work();
    expect((await world.call('GET', `/subscriptions/${id}`)).body).toMatchObject({
      status: 'ended',
      end_reason: 'plan_ended',
      access: false,
    });
  });
});

describe('other pullers', () => {
  // plans#pullers-of-a-plan
  it('keep the charger unless it is said that it goes', async () => {
    await begin();
    const other = (await generateKeyPairSigner()).address;
    const charger = world.charger.address;
    await expect(plans().changePullers('pro', { pullers: [other] })).rejects.toThrow(
      `"pullers" must have the service's charger ${charger}`,
    );
    expect(await refusal(plans().changePullers('pro', { pullers: [other, other] }))).toBe('invalid_request');
    const pullers = [charger, other];
    await land(await plans().changePullers('pro', { pullers }));
    expect(await plans().confirmUpdate('pro', { pullers })).toMatchObject({ pullers, available: true });
    await land(await plans().changePullers('pro', { pullers: [other], without_charger: true }));
    expect(await plans().confirmUpdate('pro')).toMatchObject({ pullers: [other], available: false });
  });

  // plans#pullers-of-a-plan
  it('of a sunset plan can only become fewer', async () => {
    await begin({ endsAfter: 90 * DAY });
    const other = (await generateKeyPairSigner()).address;
    const charger = world.charger.address;
    await land(await plans().changePullers('pro', { pullers: [other, charger] }));
    await land(await plans().sunset('pro'));
    const third = (await generateKeyPairSigner()).address;
    expect(await refusal(plans().changePullers('pro', { pullers: [charger, third] }))).toBe('conflict');
    await land(await plans().changePullers('pro', { pullers: [charger] }));
    expect(await plans().confirmUpdate('pro', { pullers: [charger] })).toMatchObject({ status: 'sunset' });
  });
});

describe('a deletion', () => {
  // plans#deleting-a-plan
  it('waits for the end of the plan, and closes it', async () => {
    await begin({ endsAfter: MONTH + DAY });
    await draft('Endless');
    await land(await plans().publish('endless'));
    await plans().confirmPublish('endless');
    await expect(plans().delete('endless')).rejects.toThrow('The plan has no end');
    await expect(plans().delete('pro')).rejects.toMatchObject({ code: 'conflict' });
    world.advance(MONTH + DAY + 5_000);
    const built = await plans().delete('pro');
    expect(await refusal(plans().confirmDelete('pro'))).toBe('conflict');
    await land(built);
    const closed = await plans().confirmDelete('pro');
    expect(closed).toMatchObject({ status: 'closed', available: false });
    expect(await plans().confirmDelete('pro')).toEqual(closed);
    for (const act of ['delete', 'sunset', 'confirmUpdate'] as const)
      expect(await refusal(plans()[act]('pro'))).toBe('plan_removed');
    expect((await plans().list()).plans.map(({ slug }) => slug)).toEqual(['endless']);
  });

  // plans#deleting-a-plan, attempts#gone-needs-two-reads
  it('that is not final leaves the plan unavailable, and the worker closes it', async () => {
    await begin({ endsAfter: MONTH + DAY });
    world.advance(MONTH + DAY + 5_000);
    await land(await plans().delete('pro'));
    isDeletionRecent = true;
    expect(await plans().confirmDelete('pro')).toMatchObject({ status: 'active', available: false });
    expect(await plans().confirmDelete('pro')).toMatchObject({ status: 'active' });
    isDeletionRecent = false;
    world.advance(60_000);
    await world.work();
    expect(await plans().detail('pro')).toMatchObject({ status: 'closed' });
  });

  // plans#deleting-a-plan
  it('is of no draft, which is discarded, and of no plan that another one replaced', async () => {
    await begin({ endsAfter: MONTH + DAY });
    await draft('Daily');
    await expect(plans().delete('daily')).rejects.toThrow('Discard it instead.');
    for (const act of ['sunset', 'confirmUpdate', 'confirmDelete'] as const)
      expect(await refusal(plans()[act]('daily'))).toBe('plan_not_on_chain');
    const outside = await world.outside(await world.wallet(0n));
    world.advance(MONTH + DAY + 5_000);
    await outside.deletePlan();
    await outside.recreatePlan();
    expect(await refusal(plans().confirmUpdate('pro'))).toBe('plan_replaced');
    expect(await plans().confirmDelete('pro')).toMatchObject({ status: 'closed' });
  });
});
