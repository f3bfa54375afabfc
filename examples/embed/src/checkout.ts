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
} from '@subrail/core/schemas';

/** How your server reaches the service. */
export interface Shop {
  /** The service's URL with its base path and without `/v1`. */
  readonly url: string;
  /** The project's API key. */
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly wait: (seconds: number) => Promise<void>;
}

/** Longer than the 90 seconds that a submit or a confirm may take. */
const TIMEOUT_MS = 100_000;
const MAX_TRIES = 5;

/** Makes a call, and repeats it unchanged after no answer or a retryable error. */
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
    // Without an answer the outcome is unknown. Routes are idempotent: the same request again returns it.
    if (tries === MAX_TRIES || error?.retryable === false) throw new ApiError(error);
    await shop.wait(Number(response?.headers.get('retry-after') ?? 1));
  }
}

/** A call that the service refused, or that got no answer. */
export class ApiError extends Error {
  /** The error code: branch on it, with a default branch. Null when there was no answer. */
  readonly code: string | null;
  constructor(error: ErrorBody | null) {
    super(error === null ? 'The service did not answer.' : `${String(error.message)} (${error.request_id})`);
    this.code = error?.code ?? null;
  }
}

/** Signs the text exactly as it is: you must not trim, translate or extend it. */
async function signMessage(wallet: KeyPairSigner, text: string): Promise<string> {
  const [signatures] = await wallet.signMessages([createSignableMessage(text)]);
  const signature = signatures?.[wallet.address];
  if (signature === undefined) throw new Error('The wallet returned no signature.');
  return getBase58Decoder().decode(signature);
}

async function signTransaction(wallet: KeyPairSigner, built: BuildAnswer) {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(built.transaction));
  return partiallySignTransaction([wallet.keyPair], transaction);
}

/** Subscribes a wallet to a plan: create, sign the terms, get a transaction, sign it, submit. */
export async function subscribe(shop: Shop, wallet: KeyPairSigner, plan: string, customer: string) {
  const { subscription, terms } = await call<CreateAnswer>(shop, 'POST', '/subscriptions', {
    plan,
    wallet: wallet.address,
    external_id: customer,
  });
  const path = `/subscriptions/${subscription.id}`;
  let signed = { message: terms.message, signature: await signMessage(wallet, terms.message) };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // The transaction expires in half a minute, so it is requested after the customer has signed the terms.
    const fresh = await call<CreateAnswer>(shop, 'POST', `${path}/transaction`);
    const { message } = fresh.terms;
    if (message !== signed.message) signed = { message, signature: await signMessage(wallet, message) };
    const result = await submit(shop, path, {
      transaction: getBase64EncodedWireTransaction(await signTransaction(wallet, fresh)),
      terms_signature: signed.signature,
    });
    if (result !== 'expired') return result;
  }
  throw new Error('No transaction landed before it expired. Start the checkout again.');
}

/** Codes that say that nothing was sent: get a fresh transaction, and sign its terms if they are new. */
const EXPIRED = ['transaction_expired', 'terms_expired', 'terms_used'];

async function submit(shop: Shop, path: string, body: { transaction: string; terms_signature: string }) {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    try {
      const answer = await call<Confirmation>(shop, 'POST', `${path}/submit`, body);
      if (!('reason_code' in answer)) return answer.subscription;
      // New codes may be added to those that the types list today, so keep a default branch.
      const code: string = answer.reason_code;
      switch (code) {
        case 'nothing_landed':
          continue;
        case 'transaction_expired':
          return 'expired';
        default:
          throw new Error(answer.reason);
      }
    } catch (error) {
      if (error instanceof ApiError && EXPIRED.includes(error.code ?? '')) return 'expired';
      throw error;
    }
  }
  throw new Error('The chain did not answer. Repeat the submit unchanged, later.');
}

/** Whether a customer has access to a plan. */
export async function hasAccess(shop: Shop, customer: string, plan: string): Promise<boolean> {
  const query = new URLSearchParams({ external_id: customer, plan });
  const { access } = await call<AccessAnswer>(shop, 'GET', `/access?${query.toString()}`);
  return access;
}

/** Cancels, resumes or closes a subscription. */
export async function changeSubscription(
  shop: Shop,
  rpc: Rpc<SolanaRpcApi>,
  wallet: KeyPairSigner,
  id: string,
  action: 'cancel' | 'resume' | 'close',
): Promise<SubscriptionWire> {
  const path = `/subscriptions/${id}/${action}`;
  const transaction = await signTransaction(wallet, await call<BuildAnswer>(shop, 'POST', path));
  // The wallet sends this transaction itself; the service then confirms its outcome.
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64' }).send();
  const signature = getSignatureFromTransaction(transaction);
  const answer = await call<Confirmation>(shop, 'POST', `${path}/confirm`, { signature });
  if ('reason_code' in answer) throw new Error(`${answer.reason} (${answer.reason_code})`);
  return answer.subscription;
}

/** The whole life of a subscription. `passDays` moves the time of a local chain; on a cluster it waits. */
export async function playSubscription(
  shop: Shop,
  rpc: Rpc<SolanaRpcApi>,
  wallet: KeyPairSigner,
  passDays: (days: number) => Promise<void>,
) {
  const { id } = await subscribe(shop, wallet, 'pro', 'customer-42');
  await passDays(31); // The service charges the renewal without a call.
  const cancelled = await changeSubscription(shop, rpc, wallet, id, 'cancel');
  const resumed = await changeSubscription(shop, rpc, wallet, id, 'resume');
  await passDays(1);
  await changeSubscription(shop, rpc, wallet, id, 'cancel');
  await passDays(31); // The paid period ends, and access ends with it.
  const closed = await changeSubscription(shop, rpc, wallet, id, 'close');
  const back = await subscribe(shop, wallet, 'pro', 'customer-42');
  return { cancelled, resumed, closed, back };
}
