import type { HandlerRequest } from '@subrail/core';
import { expect, test } from 'vitest';
import { answerDemoWallet, type DemoWallet } from './demo-wallet.js';

const WALLET: DemoWallet = {
  open: async (visitor) => ({ address: visitor, publicKey: Uint8Array.of(1) }),
  sign: async (_, what, bytes) => {
    if (what === 'transaction') throw new TypeError('These bytes are no transaction.');
    return bytes;
  },
};
const VISITOR = 'a'.repeat(36);

function call(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = { 'service-version': '1' },
) {
  const request: HandlerRequest = {
    method: 'POST',
    path,
    search: '',
    ip: '127.0.0.1',
    body: (async function* () {
      yield new TextEncoder().encode(JSON.stringify(body));
    })(),
    header: (name) => headers[name] ?? null,
  };
  return answerDemoWallet(WALLET, request, path);
}

test('signs for a visitor who names itself, and for no page of another origin', async () => {
  const body = { visitor: VISITOR, what: 'message', bytes: btoa('terms') };
  expect(await call('/demo-wallet/v1/sign', body)).toMatchObject({
    status: 200,
    body: JSON.stringify({ bytes: btoa('terms') }),
  });
  expect(await call('/demo-wallet/v1/sign', body, {})).toMatchObject({ status: 400 });
  expect(await call('/demo-wallet/v1/sign', { ...body, visitor: 'other' })).toMatchObject({ status: 400 });
});

test.each([
  ['message', '%'],
  ['transaction', btoa('none')],
  ['everything', btoa('none')],
])('refuses to sign a %s of "%s"', async (what, bytes) => {
  const answer = await call('/demo-wallet/v1/sign', { visitor: VISITOR, what, bytes });
  expect(answer).toMatchObject({ status: 400 });
});
