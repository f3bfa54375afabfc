import { describe, expect, it } from 'vitest';
import { PERIOD, statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

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
