import {
  createSignableMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type {
  AccessAnswer,
  BuildAnswer,
  Confirmation,
  CreateAnswer,
  ErrorBody,
  SubscriptionWire,
} from '@subrail/core';

export interface Shop {
  /** Of the service, with its base path and without `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly wait: (seconds: number) => Promise<void>;
}

/** Longer than the 90 seconds that a submit and a confirm may take. */
const TIMEOUT_MS = 100_000;
const TRIES = 5;

export async function call<Answer>(shop: Shop, method: 'GET' | 'POST', path: string, body?: object) {
  for (let tries = 1; ; tries += 1) {
    const request = new Request(`${shop.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${shop.key}`,
        'content-type': 'application/json',
        'service-version': '2026-10-02',
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const response = await shop.fetch(request).catch(() => null);
    if (response?.ok === true) return (await response.json()) as Answer;
    const error = response === null ? null : ((await response.json()) as ErrorBody);
    // No answer is no verdict, and every route is safe to call twice: the same request again finds out.
    if (tries === TRIES || error?.retryable === false) throw new Refused(error);
    await shop.wait(Number(response?.headers.get('retry-after') ?? 1));
  }
}

export class Refused extends Error {
  /** To branch on, with a default; null when no answer came. */
  readonly code: string | null;
  constructor(error: ErrorBody | null) {
    super(error === null ? 'No answer came.' : `${String(error.message)} (${error.request_id})`);
    this.code = error?.code ?? null;
  }
}

/** The text as it is, byte by byte: not trimmed, not translated, no line added. */
async function signText(wallet: KeyPairSigner, text: string): Promise<string> {
  const [signatures] = await wallet.signMessages([createSignableMessage(text)]);
  const signature = signatures?.[wallet.address];
  if (signature === undefined) throw new Error('The wallet did not sign.');
  return getBase58Decoder().decode(signature);
}

async function signTransaction(wallet: KeyPairSigner, built: BuildAnswer) {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built.transaction));
  return partiallySignTransaction([wallet.keyPair], transaction);
}

export async function subscribe(shop: Shop, wallet: KeyPairSigner, plan: string, customer: string) {
  const { subscription, terms } = await call<CreateAnswer>(shop, 'POST', '/subscriptions', {
    plan,
    wallet: wallet.address,
    external_id: customer,
  });
  const path = `/subscriptions/${subscription.id}`;
  let signed = { message: terms.message, signature: await signText(wallet, terms.message) };
  for (let tries = 0; tries < TRIES; tries += 1) {
    // The customer took their time over the terms: only now the half minute of a transaction begins.
    const fresh = await call<CreateAnswer>(shop, 'POST', `${path}/transaction`);
    const { message } = fresh.terms;
    if (message !== signed.message) signed = { message, signature: await signText(wallet, message) };
    const answer = await submit(shop, path, {
      transaction: getBase64EncodedWireTransaction(await signTransaction(wallet, fresh)),
      terms_signature: signed.signature,
    });
    if (answer !== 'again') return answer;
  }
  throw new Error('No transaction landed in time.');
}

/** Nothing was sent: a fresh transaction, and terms if they are new, are to be signed. */
const TOO_LATE = ['transaction_expired', 'terms_expired', 'terms_used'];

async function submit(shop: Shop, path: string, body: { transaction: string; terms_signature: string }) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const answer = await call<Confirmation>(shop, 'POST', `${path}/submit`, body);
      if (!('reason_code' in answer)) return answer.subscription;
      // A family that grows, whatever this version's types say: the default branch stays.
      const code: string = answer.reason_code;
      switch (code) {
        case 'nothing_landed':
          continue;
        case 'transaction_expired':
          return 'again';
        default:
          throw new Error(answer.reason);
      }
    } catch (error) {
      if (error instanceof Refused && TOO_LATE.includes(error.code ?? '')) return 'again';
      throw error;
    }
  }
  throw new Error('The chain is silent. Repeat the submit, unchanged, later.');
}

export async function mayEnter(shop: Shop, customer: string, plan: string): Promise<boolean> {
  const query = new URLSearchParams({ external_id: customer, plan });
  const { access } = await call<AccessAnswer>(shop, 'GET', `/access?${query.toString()}`);
  return access;
}

export async function change(
  shop: Shop,
  rpc: Rpc<SolanaRpcApi>,
  wallet: KeyPairSigner,
  id: string,
  action: 'cancel' | 'resume' | 'close',
): Promise<SubscriptionWire> {
  const path = `/subscriptions/${id}/${action}`;
  const transaction = await signTransaction(wallet, await call<BuildAnswer>(shop, 'POST', path));
  // These the wallet sends by itself; the service only looks what became of them.
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send();
  const signature = getSignatureFromTransaction(transaction);
  const answer = await call<Confirmation>(shop, 'POST', `${path}/confirm`, { signature });
  if ('reason_code' in answer) throw new Error(`${answer.reason} (${answer.reason_code})`);
  return answer.subscription;
}

/** `pass` moves the time of a local chain; on a cluster it passes by itself. */
export async function story(
  shop: Shop,
  rpc: Rpc<SolanaRpcApi>,
  wallet: KeyPairSigner,
  pass: (days: number) => Promise<void>,
) {
  const { id } = await subscribe(shop, wallet, 'pro', 'customer-42');
  await pass(31); // A renewal needs nobody: the service charged.
  const cancelled = await change(shop, rpc, wallet, id, 'cancel');
  const resumed = await change(shop, rpc, wallet, id, 'resume');
  await pass(1);
  await change(shop, rpc, wallet, id, 'cancel');
  await pass(31); // The paid period ends, and access with it.
  const closed = await change(shop, rpc, wallet, id, 'close');
  const back = await subscribe(shop, wallet, 'pro', 'customer-42');
  return { cancelled, resumed, closed, back };
}
