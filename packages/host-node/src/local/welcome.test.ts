import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { welcome } from './welcome.js';

test('a shell reads each path of the welcome as one word', () => {
  const dataDir = "/home/ada/ada's shop/.subrail";
  const text = welcome({
    url: 'http://[::1]:4242',
    rpcUrl: 'http://127.0.0.1:8899',
    webSocketUrl: 'ws://127.0.0.1:8900',
    dataDir,
    database: null,
    wallet: 'Wallet',
    project: {
      apiKey: 'sk_1',
      plan: { slug: 'pro', name: 'Pro', amount: 5_000_000n, periodHours: 720 },
      checkoutUrl: 'http://[::1]:4242/l/lnk_1',
    },
    dashboardUrl: null,
    subscribed: false,
    command: 'subrail',
    fromSource: true,
  });
  const [, words] = /^ +npm run webhooks -- (.*)$/m.exec(text) ?? [];
  const read = execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' });
  expect(read).toBe(`${dataDir}\nhttp://[::1]:4242\nhttp://127.0.0.1:8899\n`);
});
