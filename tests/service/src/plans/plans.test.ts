import { address } from '@solana/kit';
import { program } from '@subrail/adapters/solana';
import {
  mintTo,
  sendInstructions,
  sendTransaction,
  signTransaction,
  tokenAccountOf,
} from '@subrail/localnet';
import {
  refusal,
  DAY,
  HOUR,
  openTestWorld,
  PRICE,
  submitCheckout,
  type IssuedCheckout,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';
import { beforeEach, describe, expect, it } from 'vitest';

const YEAR = 365.25 * DAY;

let world: TestWorld;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  world = await openTestWorld(options);
}

beforeEach(() => begin());

const input = () => ({
  name: 'Basic',
  owner: world.owner.address,
  mint: world.token.mint,
  amount: '1000000',
  period_hours: 24,
});

const create = (more: object = {}) =>
  world.billing.project(world.projectId).plans.create({ ...input(), ...more });

describe('creating a plan', () => {
  // plans#end-date-of-a-plan
  it('takes an end from one period and five minutes away to 100 years away, or none', async () => {
    const endsIn = (name: string, ms: number) =>
      refusal(create({ name, ends_at: new Date(world.now().getTime() + ms).toISOString() }));
    const soonest = 24 * HOUR + 5 * 60_000;
    expect(await endsIn('Too soon', soonest - 1_000)).toBe('end_date_too_soon');
    expect(await endsIn('Soonest', soonest)).toBeNull();
    expect(await endsIn('Latest', 100 * YEAR)).toBeNull();
    expect(await endsIn('Too late', 100 * YEAR + 1_000)).toBe('end_date_too_far');
    expect(await create({ name: 'Endless' })).toMatchObject({ ends_at: null });
  });

  // plans#slug-of-a-plan
  it.each([
    ['Café Crème', 'cafe-creme'],
    ['  Night & Day!  ', 'night-day'],
    ['ÜBER--Plan', 'uber-plan'],
  ])('derives the slug of the name %j: %s', async (name, slug) => {
    expect(await create({ name })).toMatchObject({ slug });
  });

  // plans#slug-of-a-plan
  it.each(['Basic', 'two--hyphens', '-first', 'last-', '2026', 'a_b', ''])(
    'refuses the slug %j',
    async (slug) => {
      expect(await refusal(create({ slug }))).toBe('invalid_request');
    },
  );

  // plans#unique-name-and-slug, plans#immutable-plan-fields
  it('refuses a name or a slug that another plan of the project has, and leaves that plan as it is', async () => {
    await create({ slug: 'basic' });
    expect(await refusal(create({ slug: 'other', amount: '2' }))).toBe('plan_name_taken');
    expect(await refusal(create({ name: 'Other', slug: 'basic', amount: '2' }))).toBe('slug_taken');
    expect(await world.plan('basic')).toMatchObject({ name: 'Basic', amount: 1_000_000n, version: 1 });
    const { id } = await world.billing.projects.create({ name: 'Another' });
    expect(await refusal(world.billing.project(id).plans.create({ ...input(), slug: 'basic' }))).toBeNull();
  });

  // plans#fields-of-a-plan
  it('refuses a price that was made for other decimals than the token has, and stores nothing', async () => {
    await expect(create({ decimals: 3 })).rejects.toMatchObject({
      code: 'invalid_request',
      sentences: ['The token has 6 decimals and not 3, so "amount" is another price.'],
    });
    await expect(world.billing.project(world.projectId).plans.detail('basic')).rejects.toMatchObject({
      code: 'plan_not_found',
    });
    expect(await create({ decimals: 6 })).toMatchObject({ decimals: 6, status: 'draft' });
  });
});

describe('the destinations of a new plan', () => {
  const paying = (destinations: readonly string[], more: object = {}) =>
    create({ name: 'Paying', destinations, ...more });

  // plans#addresses-that-can-receive
  it('refuses each one that no wallet can own, and says which one and why', async () => {
    const { owner, token } = world;
    const tokenAccount = await tokenAccountOf(token, owner.address);
    const refused = paying([owner.address, '11111111111111111111111111111111', token.mint, tokenAccount]);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      sentences: [
        expect.stringMatching(
          /^Item 2 of "destinations" must be the address of a wallet, and it is a program /,
        ),
        expect.stringMatching(/^Item 3 of "destinations" must be .* it is a token or a token account/),
        expect.stringMatching(/^Item 4 of "destinations" must be .* it is a token or a token account/),
      ],
    });
    for (const receiver of [program.SUBSCRIPTIONS_PROGRAM, 'SysvarC1ock11111111111111111111111111111111'])
      expect(await refusal(paying([receiver]))).toBe('invalid_request');
    expect(await refusal(paying([owner.address]))).toBeNull();
  });

  // plans#addresses-that-can-receive
  it('takes an address off the curve, such as a vault, only when the caller says so', async () => {
    const [vault] = await program.createAddresses().plan(world.owner.address, 7n);
    await expect(paying([vault])).rejects.toMatchObject({
      code: 'invalid_request',
      sentences: [expect.stringContaining('set "allow_off_curve_destinations" to true')],
    });
    const allowed = { allow_off_curve_destinations: true };
    expect(await refusal(paying([program.SUBSCRIPTIONS_PROGRAM], allowed))).toBe('invalid_request');
    expect(await refusal(paying([vault], { ...allowed, slug: 'vaulted' }))).toBeNull();
    expect(await world.plan('vaulted')).toMatchObject({ destinations: [vault] });
  });

  // plans#addresses-that-can-receive
  it('are neither accepted nor refused while the chain does not answer', async () => {
    world.injectFaults(() => ({
      readAddress: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
    }));
    expect(await refusal(paying([world.owner.address], { slug: 'later' }))).toBe('network_unavailable');
    world.injectFaults();
    expect(await refusal(paying([world.owner.address], { slug: 'later' }))).toBeNull();
  });
});

describe('publishing a plan', () => {
  // seats-and-tiers#published-plan-limit
  it('is refused over the number of published plans that the tier allows', async () => {
    const { id } = await world.billing.projects.create({ name: 'Small', tier: 'free' });
    await world.publishPlan(id, 'first');
    await world.billing.project(id).plans.create({ ...input(), slug: 'second' });
    expect(await refusal(world.billing.project(id).plans.publish('second'))).toBe('forbidden');
    // A sunset plan still counts.
    const first = await world.plan('first', id);
    await world.store.updatePlan({ ...first, version: first.version + 1, status: 'sunset' });
    expect(await refusal(world.billing.project(id).plans.publish('second'))).toBe('forbidden');
  });

  // plans#confirming-a-published-plan
  it('is confirmed once the plan is on chain, and confirming again changes nothing', async () => {
    await create({ slug: 'basic' });
    const confirm = () => world.billing.project(world.projectId).plans.confirmPublish('basic');
    expect(await refusal(confirm())).toBe('plan_not_on_chain');
    const { transaction } = await world.billing.project(world.projectId).plans.publish('basic');
    await sendTransaction(world.rpc, await signTransaction(world.owner, transaction));
    expect(await confirm()).toMatchObject({ status: 'active' });
    const confirmed = await world.plan('basic');
    expect(await confirm()).toMatchObject({ status: 'active' });
    expect(await world.plan('basic')).toEqual(confirmed);
  });

  // plans#confirming-a-published-plan, plans#unique-name-and-slug
  it('fails with plan_mismatch when its owner put another price on chain', async () => {
    await create({ slug: 'basic' });
    const { number, address: planAddress } = await world.plan('basic');
    const { rpc, owner, charger, token } = world;
    const mint = world.localnet.getAccount(token.mint);
    if (mint === null) throw new Error('The chain has no mint.');
    expect((await program.createAddresses().plan(owner.address, number))[0]).toBe(planAddress);
    const instruction = program.createPlan({
      owner: owner.address,
      plan: address(planAddress),
      planId: number,
      mint: token.mint,
      tokenProgram: mint.owner,
      amount: 999n,
      periodHours: 24,
      endTs: 0n,
      destinations: [],
      pullers: [charger.address],
      metadata: '',
    });
    await sendInstructions(rpc, owner, [instruction]);
    expect(await refusal(world.billing.project(world.projectId).plans.confirmPublish('basic'))).toBe(
      'plan_mismatch',
    );
    // A plan whose creation failed frees its name and its slug.
    expect(await refusal(create({ slug: 'basic' }))).toBeNull();
  });
});

// attempts#receiver-account
it('a receiving wallet without a token account is paid at the account of the plan’s owner', async () => {
  const receiver = await world.wallet(0n);
  await world.publishPlan(world.projectId, 'gift', { destinations: [receiver.address, world.owner.address] });
  world.localnet.setAccount(await tokenAccountOf(world.token, receiver.address), { lamports: 0n });
  const wallet = await world.wallet(0n);
  await world.inNewBlock(() => mintTo(world.rpc, world.token, wallet.address, 3n * PRICE));
  const before = await world.holding(world.owner);
  const { body } = await world.call('POST', '/subscriptions', { plan: 'gift', wallet: wallet.address });
  const submitted = await submitCheckout(world, wallet, body as unknown as IssuedCheckout);
  expect(submitted).toMatchObject({ status: 201 });
  expect((await world.holding(world.owner)) - before).toBe(PRICE);
});
