import type {
  BuildAnswer,
  ErrorBody,
  WalletAction,
  WalletConfirmation,
  WalletSubscriptionPage,
} from '@subrail/core/schemas';

/** A call that was refused or got no answer. The message is a sentence for the person at the page. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    message: string,
    /** Whether the service refused the call, so that it did nothing. If not, it may have taken effect. */
    readonly isRefusal: boolean,
  ) {
    super(message);
  }
}

/** Longer than the 90 seconds that a confirm may take. */
const TIMEOUT_MS = 100_000;

const UNREACHABLE = 'The service cannot be reached. Check your connection and try again.';

/** Advice after a refusal, which the service's sentences do not have for customers. */
const SENTENCES: Readonly<Record<string, string>> = {
  network_unavailable:
    'Solana does not answer at the moment. Nothing was changed. Try again in a few seconds.',
  transaction_refused: 'Solana refused the transaction, so nothing was changed. Try again.',
  subscription_cancelled: 'It is cancelled on Solana already. This page will show it within a day.',
  subscription_not_cancelled: 'It is not cancelled on Solana. This page will show that within a day.',
  subscription_not_on_chain: 'It is gone from Solana already. This page will show it within a day.',
};

/** Calls the service for one wallet. */
export function apiOf(wallet: string) {
  const path = `wallet/v1/${wallet}/subscriptions`;
  const post = (id: string, step: string, body: object) => call(`${path}/${id}/${step}`, body);
  return {
    list: async (after: string | null): Promise<WalletSubscriptionPage> =>
      (await call(after === null ? path : `${path}?starting_after=${after}`)) as WalletSubscriptionPage,
    build: async (id: string, action: WalletAction): Promise<BuildAnswer> =>
      (await post(id, 'transaction', { action })) as BuildAnswer,
    submit: async (id: string, transaction: string): Promise<{ readonly signature: string }> =>
      (await post(id, 'submit', { transaction })) as { readonly signature: string },
    confirm: async (id: string, action: WalletAction, signature: string): Promise<WalletConfirmation> =>
      (await post(id, 'confirm', { action, signature })) as WalletConfirmation,
  };
}

/** Calls a route. A call without a body is a GET. Throws a CallError. */
async function call(path: string, body?: object): Promise<unknown> {
  const response = await fetch(path, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => null);
  const answer: unknown = await response?.json().catch(() => null);
  if (response === null || typeof answer !== 'object' || answer === null)
    throw new CallError(UNREACHABLE, false);
  if (response.ok) return answer;
  throw new CallError(sentenceOf(answer, response.headers.get('Retry-After')), response.status < 500);
}

function sentenceOf({ code, message }: Partial<ErrorBody>, retryAfter: string | null): string {
  if (code === 'rate_limited')
    return `This page was used too often from your network. Try again in ${retryAfter ?? '60'} seconds.`;
  return SENTENCES[code ?? ''] ?? [message ?? UNREACHABLE].flat().join(' ');
}
