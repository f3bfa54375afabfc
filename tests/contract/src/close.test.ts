import { describe, expect, it } from 'vitest';
import { SIGNATURE } from './routes.js';
import { DAY, MINUTE, PERIOD, PRICE, short, type Scene, type SceneOptions } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

async function subscribed(options: SceneOptions = {}) {
  const scene = await suite.scene(options);
  const wallet = await scene.wallet();
  const id = await scene.subscribe(wallet);
  return { scene, wallet, id, outside: await scene.outside(wallet) };
}

/** A subscription that stopped because its authorisation was closed: it can be closed at once. */
async function abandoned() {
  const world = await subscribed();
  await world.outside.closeAuthority();
  await suite.control.pass(PERIOD);
  expect(await world.scene.read(world.id)).toMatchObject({
    status: 'stopped',
    stop_reason: 'authority_closed',
    closable: true,
  });
  return world;
}

const build = (scene: Scene, id: string) => scene.api.post(`/subscriptions/${id}/close`);
const lamports = async (scene: Scene, wallet: { readonly address: string }) =>
  (await scene.rpc.getBalance(wallet.address as Parameters<Scene['rpc']['getBalance']>[0]).send()).value;

describe('POST /v1/subscriptions/{id}/close', () => {
  it('of a cancellation whose end has passed: ended, closed, and the deposit back in the wallet', async () => {
    const { scene, wallet, id } = await subscribed();
    await scene.act('cancel', id, wallet);
    await suite.control.pass(PERIOD);
    expect(await scene.read(id)).toMatchObject({ status: 'ended', end_reason: 'cancelled', closable: true });
    const before = await lamports(scene, wallet);
    const answer = await scene.act('close', id, wallet);
    expect(answer.body).toMatchObject({
      subscription: { status: 'ended', end_reason: 'closed', closable: false },
    });
    expect(await scene.read(id)).toEqual(answer.body['subscription']);
    expect(await lamports(scene, wallet)).toBeGreaterThan(before);
    expect((await scene.told(id)).slice(2)).toEqual(['cancelled', 'access_revoked', 'ended']);
  });

  it('of one stopped with authority_closed works at once, and raises ended', async () => {
    const { scene, wallet, id } = await abandoned();
    const answer = await scene.act('close', id, wallet);
    expect(answer.body).toMatchObject({
      subscription: { status: 'ended', end_reason: 'closed', closable: false },
    });
    expect((await scene.events(id)).at(-1)).toMatchObject({
      type: 'subscription.ended',
      detail: {},
      data: { end_reason: 'closed' },
    });
  });

  it('of one that ended with its plan keeps its end_reason', async () => {
    const ending = PERIOD + 6 * MINUTE;
    const { scene, wallet, id } = await subscribed({ endsAfter: ending });
    await suite.control.pass(ending + MINUTE);
    expect(await scene.read(id)).toMatchObject({ status: 'ended', end_reason: 'plan_ended', closable: true });
    const answer = await scene.act('close', id, wallet);
    expect(answer.body).toMatchObject({ subscription: { end_reason: 'plan_ended', closable: false } });
  });

  it('409 close_too_early while a cancellation runs; the message states the date', async () => {
    const { scene, wallet, id } = await subscribed();
    await scene.act('cancel', id, wallet);
    const { closable_from } = await scene.read(id);
    const answer = await build(scene, id);
    expect(short(answer)).toBe('409 close_too_early');
    expect(answer.body['message']).toContain(closable_from);
  });

  it('409 subscription_not_cancelled: running, or stopped out of retries or past its deadline', async () => {
    const { scene, id } = await subscribed();
    expect(short(await build(scene, id))).toBe('409 subscription_not_cancelled');
    expect(short(await scene.confirm('close', id, SIGNATURE))).toBe('409 subscription_not_cancelled');
    const poor = await scene.subscribe(await scene.wallet(PRICE), { external_id: 'b' });
    await suite.control.pass(PERIOD + 4 * DAY);
    expect(await scene.read(poor)).toMatchObject({ stop_reason: 'out_of_retries' });
    expect(short(await build(scene, poor))).toBe('409 subscription_not_cancelled');
  });

  it('409 subscription_not_on_chain: it is closed already, to build and to confirm', async () => {
    const { scene, id, outside } = await subscribed();
    await outside.remove('subscription');
    await suite.control.pass(PERIOD + 5 * MINUTE);
    expect(await scene.read(id)).toMatchObject({
      status: 'ended',
      end_reason: 'closed_elsewhere',
      closable: false,
    });
    expect(short(await build(scene, id))).toBe('409 subscription_not_on_chain');
    expect(short(await scene.confirm('close', id, SIGNATURE))).toBe('409 subscription_not_on_chain');
    const second = await abandoned();
    await second.scene.act('close', second.id, second.wallet);
    expect(short(await build(second.scene, second.id))).toBe('409 subscription_not_on_chain');
  });

  it('409 subscription_changed: other calls are faster all the time', async () => {
    const { scene, id } = await abandoned();
    const answer = await suite.during('writes_lost', () => build(scene, id));
    expect(short(answer)).toBe('409 subscription_changed');
  });

  it('503 network_unavailable while the chain is silent', async () => {
    const { scene, id } = await abandoned();
    const answer = await suite.during('chain_silent', () => build(scene, id));
    expect(short(answer)).toBe('503 network_unavailable');
  });
});

describe('POST /v1/subscriptions/{id}/close/confirm', () => {
  it('400 nothing_to_confirm before a close was built', async () => {
    const { scene, id } = await abandoned();
    expect(short(await scene.confirm('close', id, SIGNATURE))).toBe('400 nothing_to_confirm');
  });

  it('close_not_landed: the subscription still stands on chain', async () => {
    const { scene, wallet, id } = await abandoned();
    const { signature } = await scene.signed('close', id, wallet);
    const answer = await scene.confirm('close', id, signature);
    expect(short(answer)).toBe('201 close_not_landed');
    expect(answer.body).toMatchObject({ subscription: { status: 'stopped' } });
  });

  it('transaction_expired: the blockhash ran out before it landed', async () => {
    const { scene, wallet, id } = await abandoned();
    const { signature } = await scene.signed('close', id, wallet);
    await suite.control.pass(3 * MINUTE);
    expect(short(await scene.confirm('close', id, signature))).toBe('201 transaction_expired');
  });

  it('re-confirming answers the row', async () => {
    const { scene, wallet, id } = await abandoned();
    const first = await scene.act('close', id, wallet);
    expect((await scene.confirm('close', id, SIGNATURE)).body).toEqual(first.body);
  });

  it('503 network_unavailable: the chain stays silent for the whole wait', async () => {
    const { scene, wallet, id } = await abandoned();
    const { signature } = await scene.signed('close', id, wallet);
    const answer = await suite.during('chain_silent', () => scene.confirm('close', id, signature));
    expect(short(answer)).toBe('503 network_unavailable');
  });
});
