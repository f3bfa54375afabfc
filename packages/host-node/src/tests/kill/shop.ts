import { setTimeout as pause } from 'node:timers/promises';
import type { KeyPairSigner } from '@solana/kit';
import { signMessage, signTransaction } from '@subrail/localnet';

/** An answer of a host. Null: it was killed before it answered. */
export type HostAnswer = { readonly status: number; readonly body: Record<string, unknown> } | null;

/** A shop that calls whichever host answers. */
export class Shop {
  readonly #hosts: () => readonly string[];
  readonly #apiKey: string;
  readonly #wallets = new Set<string>();
  #turn = 0;
  /** The number of answers by status and code. */
  readonly answers = new Map<string, number>();

  /** @param hosts the addresses of the hosts, some of which may be dead */
  constructor(hosts: () => readonly string[], apiKey: string) {
    this.#hosts = hosts;
    this.#apiKey = apiKey;
  }

  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<HostAnswer> {
    const hosts = this.#hosts();
    const host = hosts[(this.#turn += 1) % hosts.length];
    const answer = await fetch(`${host}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A submit takes 90 seconds at most.
      signal: AbortSignal.timeout(100_000),
    })
      .then(async (response) => ({
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
      }))
      .catch(() => null);
    const code = answer?.body['code'];
    const name = answer === null ? 'no answer' : `${answer.status} ${typeof code === 'string' ? code : 'ok'}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    return answer;
  }

  /** Whether every answering host has run a pass at this time of the chain, which updates its clock. */
  async follows(time: Date): Promise<boolean> {
    const states = this.#hosts().map(async (url) => {
      const answer = await fetch(`${url}/health`)
        .then((response) => response.json())
        .catch(() => null);
      if (answer === null) return true;
      const { worker } = answer as {
        readonly worker: { readonly charges: { readonly last_ok_at: string | null } };
      };
      return new Date(worker.charges.last_ok_at ?? 0) >= time;
    });
    return !(await Promise.all(states)).includes(false);
  }

  /** The subscription of each wallet with its last attempts, as the service shows them. */
  async describeSubscriptions(): Promise<string> {
    const described = new Map<string, unknown>();
    for (const wallet of this.#wallets) {
      const answer = await this.call('GET', `/subscriptions?plan=hourly&wallet=${wallet}`);
      const [subscription] = (answer?.body['data'] ?? []) as readonly { readonly id: string }[];
      const attempts = await this.call(
        'GET',
        `/subscriptions/${subscription?.id ?? 'none'}/attempts?limit=3`,
      );
      described.set(wallet, { subscription, attempts: attempts?.body['data'] });
    }
    return JSON.stringify([...described]);
  }

  access(wallet: string): Promise<HostAnswer> {
    return this.call('GET', `/access?plan=hourly&wallet=${wallet}`);
  }

  /** Subscribes a wallet, again whenever a host dies or a transaction is too old, until it has access. */
  async subscribe(wallet: KeyPairSigner): Promise<void> {
    this.#wallets.add(wallet.address);
    for (;;) {
      if ((await this.access(wallet.address))?.body['access'] === true) return;
      await this.#checkOut(wallet);
      await pause(300);
    }
  }

  async #checkOut(wallet: KeyPairSigner): Promise<void> {
    const created = await this.call('POST', '/subscriptions', { plan: 'hourly', wallet: wallet.address });
    const begun = created?.body as
      | { readonly subscription?: { readonly id: string }; readonly terms?: { readonly message: string } }
      | undefined;
    if (begun?.subscription === undefined || begun.terms === undefined) return;
    const { id } = begun.subscription;
    const rebuilt = await this.call('POST', `/subscriptions/${id}/transaction`);
    const transaction = rebuilt?.body['transaction'];
    if (typeof transaction !== 'string') return;
    await this.call('POST', `/subscriptions/${id}/submit`, {
      transaction: await signTransaction(wallet, transaction),
      terms_signature: await signMessage(wallet, begun.terms.message),
    });
  }
}
