import { describe, expect, it } from 'vitest';
import { SIGNATURE } from './routes.js';
import { MINUTE, PERIOD, SECOND, statusAndCode, type Scenario } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite('per test');

describe('cancel/confirm, resume/confirm and close/confirm', () => {
  // cancel-resume-close#confirm-wait-of-ninety-seconds
  it('409 subscription_changed when writes conflict for the whole wait, and the same request settles it later', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const id = await scenario.subscribe(wallet);
    for (const action of ['cancel', 'resume', 'cancel', 'close'] as const) {
      if (action === 'close') await suite.control.pass(PERIOD);
      const { wire, signature } = await scenario.signed(action, id, wallet);
      await scenario.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
      const lost = await suite.during('writes_conflict', () => scenario.confirm(action, id, signature));
      expect(statusAndCode(lost)).toBe('409 subscription_changed');
      expect(lost.body).toMatchObject({ retryable: true });
      const settled = await scenario.confirm(action, id, signature);
      expect(Object.keys(settled.body)).toEqual(['subscription']);
    }
    expect((await scenario.eventTypes(id)).slice(2)).toEqual([
      ...['cancelled', 'resumed', 'cancelled'],
      ...['access_revoked', 'ended'],
    ]);
  });
});

type Opened = Awaited<ReturnType<typeof subscribed>>;

async function subscribed(scenario: Scenario) {
  const wallet = await scenario.wallet();
  const id = await scenario.subscribe(wallet);
  return { wallet, id, outside: await scenario.outside(wallet) };
}

/** An action, its code when it did not land, the status in which it is possible, and the way there. */
type ActionRow = readonly [
  action: 'cancel' | 'resume' | 'close',
  notLanded: string,
  status: string,
  prepare: (scenario: Scenario, opened: Opened) => Promise<unknown>,
];

const ACTIONS: readonly ActionRow[] = [
  ['cancel', 'cancellation_not_landed', 'active', async () => {}],
  [
    'resume',
    'resume_not_landed',
    'cancelled',
    (scenario, { wallet, id }) => scenario.act('cancel', id, wallet),
  ],
  [
    'close',
    'close_not_landed',
    'stopped',
    async (_, { outside }) => {
      await outside.closeAuthority();
      await suite.control.pass(PERIOD);
    },
  ],
];

/** A subscription that is ready for an action, and the calls of it. */
async function ready([action, , , prepare]: ActionRow) {
  const scenario = await suite.scenario();
  const opened = await subscribed(scenario);
  await prepare(scenario, opened);
  const { wallet, id } = opened;
  return {
    ...opened,
    scenario,
    build: () => scenario.api.post(`/subscriptions/${id}/${action}`),
    sign: () => scenario.signed(action, id, wallet),
    confirm: (signature: string) => scenario.confirm(action, id, signature),
  };
}

it.each(ACTIONS)(
  '%s: 409 subscription_changed when every write conflicts, 503 network_unavailable while the chain is unreachable',
  async (...row) => {
    const { build } = await ready(row);
    expect(statusAndCode(await suite.during('writes_conflict', build))).toBe('409 subscription_changed');
    expect(statusAndCode(await suite.during('chain_unreachable', build))).toBe('503 network_unavailable');
    expect(statusAndCode(await build())).toBe('201');
  },
);

// cancel-resume-close#nothing-to-confirm, cancel-resume-close#reason-codes-of-a-confirm,
// cancel-resume-close#confirm-wait-of-ninety-seconds
it.each(ACTIONS)(
  '%s/confirm: nothing_to_confirm, %s, network_unavailable, transaction_expired',
  async (...row) => {
    const { scenario, id, sign, confirm } = await ready(row);
    const [, notLanded, status] = row;
    expect(statusAndCode(await confirm(SIGNATURE))).toBe('400 nothing_to_confirm');

    const { signature } = await sign();
    const waited = await suite.during('blocks_stopped', () => confirm(signature));
    expect(statusAndCode(waited)).toBe(`201 ${notLanded}`);
    expect(waited.body).toMatchObject({ subscription: { status }, reason: expect.any(String) as string });

    const began = suite.control.now().getTime();
    const unread = await suite.during('chain_unreachable', () => confirm(signature));
    expect(statusAndCode(unread)).toBe('503 network_unavailable');
    expect(suite.control.now().getTime() - began).toBeLessThanOrEqual(92 * SECOND);

    await suite.control.pass(3 * MINUTE);
    expect(statusAndCode(await confirm(signature))).toBe('201 transaction_expired');
    expect(await scenario.read(id)).toMatchObject({ status });
  },
);

// cancel-resume-close#reason-codes-of-a-confirm
it.each(ACTIONS.filter(([action]) => action !== 'close'))(
  '%s/confirm: subscription_not_on_chain when the account is gone',
  async (...row) => {
    const { outside, sign, confirm } = await ready(row);
    const { signature } = await sign();
    await outside.remove('subscription');
    expect(statusAndCode(await confirm(signature))).toBe('201 subscription_not_on_chain');
  },
);
