import { expect, it } from 'vitest';

import { serviceFixture } from '../../http/tests/fixtures.js';
import { endpointUrl } from './endpoint-url.js';

const { settings } = serviceFixture().billing.service;
const refusal = (url: string, privateTargets: boolean) => () =>
  endpointUrl(url, { ...settings, privateTargets });

// deliveries#endpoint-address
it('says which setting allows a local address in development', () => {
  const hint = 'unless the setting privateTargets is on, in development.';
  expect(refusal('http://127.0.0.1:4300/webhooks', false)).toThrow(`"url" must be an https address, ${hint}`);
  expect(refusal('https://127.0.0.1:4300/webhooks', false)).toThrow(
    `"url" must be on a public host, ${hint}`,
  );
  expect(refusal('ftp://127.0.0.1/', true)).toThrow('"url" must be an https address, or http.');
});
