import { expect, it } from 'vitest';

import type { PrivateTargets } from '../../ports/index.js';
import { serviceFixture } from '../../http/tests/fixtures.js';
import { endpointUrl } from './endpoint-url.js';

const { settings } = serviceFixture().billing.service;
const refusal = (url: string, privateTargets: PrivateTargets) => () =>
  endpointUrl(url, { ...settings, privateTargets });

// deliveries#endpoint-address
it('says which setting allows a local address in development', () => {
  const hint = 'unless the setting privateTargets allows it, in development.';
  expect(refusal('http://127.0.0.1:4300/webhooks', false)).toThrow(`"url" must be an https address, ${hint}`);
  expect(refusal('https://127.0.0.1:4300/webhooks', false)).toThrow(
    `"url" must be on a public host, ${hint}`,
  );
  expect(refusal('ftp://127.0.0.1/', true)).toThrow('"url" must be an https address, or http.');
});

// deliveries#endpoint-address
it('accepts the private targets that are listed, and no other', () => {
  const listed = ['localhost:3000', '10.1.0.0/16'];
  expect(endpointUrl('http://localhost:3000/webhooks', { ...settings, privateTargets: listed })).toBe(
    'http://localhost:3000/webhooks',
  );
  expect(refusal('http://localhost:4000/webhooks', listed)).toThrow('"url" must be an https address, unless');
  expect(refusal('https://10.2.0.1/webhooks', listed)).toThrow('"url" must be on a public host, unless');
  expect(refusal('http://user:password@localhost:3000/', listed)).toThrow(
    '"url" must not contain a user name or a password.',
  );
});
