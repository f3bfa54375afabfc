import { describe, expect, it } from 'vitest';
import { PERIOD, short } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('cancel/confirm, resume/confirm and close/confirm', () => {
  it('409 subscription_changed: other calls were faster for the whole wait, and the same request settles it later', async () => {
    const scene = await suite.scene();
    const wallet = await scene.wallet();
    const id = await scene.subscribe(wallet);
    for (const action of ['cancel', 'resume', 'cancel', 'close'] as const) {
      if (action === 'close') await suite.control.pass(PERIOD);
      const { wire, signature } = await scene.signed(action, id, wallet);
      await scene.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
      const lost = await suite.during('writes_lost', () => scene.confirm(action, id, signature));
      expect(short(lost)).toBe('409 subscription_changed');
      expect(lost.body).toMatchObject({ retryable: true });
      const settled = await scene.confirm(action, id, signature);
      expect(Object.keys(settled.body)).toEqual(['subscription']);
    }
    expect((await scene.told(id)).slice(2)).toEqual([
      ...['cancelled', 'resumed', 'cancelled'],
      ...['access_revoked', 'ended'],
    ]);
  });
});
