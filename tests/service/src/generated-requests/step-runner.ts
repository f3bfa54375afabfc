import { getBase58Decoder, getBase64Encoder, getTransactionDecoder, type KeyPairSigner } from '@solana/kit';

import { sendTransaction, signMessage, signTransaction } from '@subrail/localnet';
import { violationsOf, operationOf, type Answer } from './check-answer.js';
import { generateRequest, type GeneratedRequest } from './request-generator.js';
import type { FixtureSubscription, IssuedCheckout, Fixtures } from './fixtures.js';
import type { RequestStep, Step } from './step-generator.js';
import type { ServiceCopy } from './service-copy.js';

/** An answer with the request it belongs to and how it violates the document. */
export interface CheckedAnswer {
  /** The documented operation; null for a path or method that does not exist. */
  readonly operation: string | null;
  readonly method: string;
  readonly answer: Answer;
  readonly body: Record<string, unknown>;
  readonly violations: readonly string[];
}

/** Runs steps as a service's client and its wallets, and checks every answer against the document. */
export class StepRunner {
  readonly answers: CheckedAnswer[] = [];
  private readonly issued: Map<string, IssuedCheckout>;
  private readonly signatures = new Map<string, string>();
  private created: FixtureSubscription | null = null;

  constructor(
    private readonly service: ServiceCopy,
    readonly fixtures: Fixtures,
  ) {
    this.issued = new Map(fixtures.issued);
  }

  async run(step: Step): Promise<void> {
    if ('works' in step) {
      this.service.advance(step.seconds * 1000);
      if (step.works) await this.service.billing.worker.charge();
      return;
    }
    if (step.seconds > 0) this.service.advance(step.seconds * 1000);
    const subscription = this.subscription(step.subscription);
    const draft = generateRequest(step, subscription, this.fixtures, await this.fields(step, subscription));
    if (draft === null) return;
    if (draft.method === 'HEAD') await this.sendHead(draft);
    else await this.send(draft);
  }

  private subscription(name: string): FixtureSubscription {
    const found = name === 'created' ? this.created : this.fixtures.subscriptions.get(name);
    const subscription = found ?? this.fixtures.subscriptions.get('pending');
    if (subscription === undefined) throw new Error(`The fixtures have no subscription ${name}.`);
    return subscription;
  }

  /** The fields of a submit or a confirmation. Without anything to sign, a transaction is requested first. */
  private async fields(step: RequestStep, subscription: FixtureSubscription): Promise<[string, unknown][]> {
    const signer = subscription.signer ?? this.anySigner();
    if (step.operation.endsWith('/submit')) {
      if (!this.issued.has(subscription.id) && step.wallet !== 'waits')
        await this.sendUnmutated(`/v1/subscriptions/${subscription.id}/transaction`, subscription);
      const issued = this.issued.get(subscription.id);
      if (issued === undefined)
        return [
          ['transaction', 'AQAB'],
          ['terms_signature', '1'.repeat(64)],
        ];
      const other = [...this.fixtures.subscriptions.values()].find(
        (one) => one.id !== subscription.id && this.issued.has(one.id),
      );
      const theirs = this.issued.get(other?.id ?? '');
      // Sometimes the wallet of another checkout signs.
      if (step.wallet === 'waits' && other?.signer != null && theirs !== undefined) {
        return [
          ['transaction', await signTransaction(other.signer, theirs.transaction)],
          ['terms_signature', await signMessage(signer, issued.terms.message)],
        ];
      }
      const by = step.wallet === 'signs' ? this.anySigner() : signer;
      return [
        ['transaction', await signTransaction(signer, issued.transaction)],
        ['terms_signature', await signMessage(by, issued.terms.message)],
      ];
    }
    const action = /\/(cancel|resume|close)\/confirm$/.exec(step.operation)?.[1];
    if (action === undefined) return [];
    if (step.wallet !== 'waits') await this.sign(step, action, subscription, signer);
    return [['signature', this.signatures.get(`${subscription.id} ${action}`) ?? '1'.repeat(64)]];
  }

  private async sign(
    step: RequestStep,
    action: string,
    subscription: FixtureSubscription,
    signer: KeyPairSigner,
  ): Promise<void> {
    const { answer, body } = await this.sendUnmutated(
      `/v1/subscriptions/${subscription.id}/${action}`,
      subscription,
    );
    if (answer.status !== 201) return;
    const wire = await signTransaction(signer, String(body['transaction']));
    const { signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const bytes = signatures[signer.address];
    if (bytes != null) this.signatures.set(`${subscription.id} ${action}`, getBase58Decoder().decode(bytes));
    // The chain may refuse a transaction that was valid when it was built.
    if (step.wallet === 'sends') await sendTransaction(this.service.rpc, wire).catch(() => undefined);
  }

  private anySigner(): KeyPairSigner {
    const [signer] = this.fixtures.newWallets;
    if (signer === undefined) throw new Error('The fixtures have no new wallet.');
    return signer;
  }

  private sendUnmutated(path: string, subscription: FixtureSubscription): Promise<CheckedAnswer> {
    const key = this.fixtures.keys[subscription.project];
    return this.send({
      method: 'POST',
      address: path,
      body: null,
      headers: { Authorization: `Bearer ${key}` },
    });
  }

  /** HEAD must answer as GET does, without the body (requests#head-requests). */
  private async sendHead(draft: GeneratedRequest): Promise<void> {
    const got = await this.send({ ...draft, method: 'GET', body: null });
    const head = await this.send({ ...draft, body: null });
    const names = (checked: CheckedAnswer) => [...checked.answer.headers.keys()].sort().join(' ');
    // An injected fault may strike only one of the two calls.
    if (Math.max(got.answer.status, head.answer.status) >= 500) return;
    if (got.answer.status !== head.answer.status || names(got) !== names(head)) {
      throw new Error(
        `HEAD answers ${head.answer.status} (${names(head)}), GET ${got.answer.status} (${names(got)})`,
      );
    }
  }

  private async send({ method, address, body, headers }: GeneratedRequest): Promise<CheckedAnswer> {
    const request = requestOf(`https://billing.example${address}`, { method, headers, body });
    if (request === null) return NOTHING_SENT;
    const before = await this.service.stored.rows();
    const response = await this.service.handler(request);
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    const operation = operationOf(request.method, request.url);
    const violations = [...violationsOf(operation, request.method, answer)];
    const refused = answer.status >= 400 && answer.status < 500;
    const settles = settlesWhatIsOnChain(operation, bodyOf(answer));
    if (refused && !settles && !sameRows(before, await this.service.stored.rows()))
      violations.push('a refusal changed rows');
    const checked: CheckedAnswer = {
      operation,
      method: request.method,
      answer,
      body: bodyOf(answer),
      violations,
    };
    this.answers.push(checked);
    this.note(checked, request);
    if (violations.length > 0) {
      const sent = `${request.method} ${request.url.slice(0, 300)}`;
      throw new Error(
        [sent, `answered ${answer.status}`, ...violations, ...this.service.logged.splice(0)].join('\n'),
      );
    }
    return checked;
  }

  /** Keeps what a wallet may sign in a later step. */
  private note({ operation, answer, body }: CheckedAnswer, { url }: Request): void {
    if (answer.status !== 201) return;
    if (operation === 'POST /v1/subscriptions' || operation === 'POST /v1/subscriptions/{id}/transaction') {
      const { id } = body['subscription'] as { id: string };
      this.issued.set(id, body as unknown as IssuedCheckout);
      if (operation === 'POST /v1/subscriptions')
        this.noteCreated(id, (body['terms'] as IssuedCheckout['terms']).message);
    }
    if (operation === 'POST /v1/subscriptions/{id}/submit')
      this.issued.delete(new URL(url).pathname.split('/')[3] ?? '');
  }

  private noteCreated(id: string, message: string): void {
    const known = [
      ...this.fixtures.newWallets,
      ...[...this.fixtures.subscriptions.values()].flatMap(({ signer }) => signer ?? []),
    ];
    const signer = known.find(({ address }) => message.includes(`Wallet: ${address}`));
    if (signer === undefined) return;
    const { address: wallet } = signer;
    this.created = { id, project: 'business', plan: 'pro', signer, wallet, externalId: null };
  }
}

const NOTHING_SENT: CheckedAnswer = {
  ...{ operation: null, method: 'GET', body: {}, violations: [] },
  answer: { status: 0, headers: new Headers(), text: '' },
};

/** Whether a refusal records an act on chain (cancel-resume-close#cancelled-on-chain-already). */
function settlesWhatIsOnChain(operation: string | null, { code }: Record<string, unknown>): boolean {
  return operation === 'POST /v1/subscriptions/{id}/cancel' && code === 'subscription_cancelled';
}

function sameRows(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}

function bodyOf({ text }: Answer): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Null for a request that fetch cannot express. */
function requestOf(url: string, init: RequestInit): Request | null {
  try {
    return new Request(url, init);
  } catch {
    return null;
  }
}
