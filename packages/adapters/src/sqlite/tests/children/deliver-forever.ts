import type { Chain, Clock } from '@subrail/core/ports';
import { createBilling } from '@subrail/core';
import { partialPort } from '@subrail/core/testing';
import { createHttpSender } from '../../../node/http-sender/sender.js';
import { createCrypto, createRandom } from '../../../node/index.js';
import { openSqliteStore } from '../../index.js';

/**
 * Delivers what is due in a SQLite file, without end, by a clock that is some milliseconds ahead: so it need
 * not wait for the leases of a killed process. Prints the result of each pass that did something, as JSON.
 */
const [path = '', sealingKey = '', aheadMs = '0'] = process.argv.slice(2);
const { store } = await openSqliteStore({ path });
const clock: Clock = {
  now: () => new Date(Date.now() + Number(aheadMs)),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
const { worker } = createBilling({
  store,
  clock,
  // Deliveries do not use the chain.
  chain: partialPort<Chain>({ network: 'devnet' }),
  random: createRandom(),
  crypto: createCrypto(Buffer.from(sealingKey, 'hex')),
  sender: createHttpSender({ allowPrivate: true }),
  settings: { privateTargets: true },
});
for (;;) {
  const pass = await worker.deliver();
  if (pass.delivered + pass.retrying + pass.failed > 0) console.log(JSON.stringify(pass));
  await clock.sleep(10);
}
