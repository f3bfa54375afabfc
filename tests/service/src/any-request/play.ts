import { getBase58Decoder, getBase64Encoder, getTransactionDecoder, type KeyPairSigner } from '@solana/kit';

import { sendWire, signBuilt, signText } from '@subrail/host-node/local';
import { faultsOf, operationOf, type Answer } from './document.js';
import { sketch, type Sketch } from './request-generator.js';
import type { Actor, HandedOut, Stage } from './fixtures.js';
import type { Ask, Step } from './steps.js';
import type { Served } from './served.js';

/** One answer, with what it was the answer to. */
export interface Told {
  /** Of the document; null for a path or method that does not exist. */
  readonly operation: string | null;
  readonly method: string;
  readonly answer: Answer;
  readonly body: Record<string, unknown>;
  readonly faults: readonly string[];
}

/** Plays steps against a service as its client and its wallets do, and judges every answer. */
export class Player {
  readonly told: Told[] = [];
  private readonly handed: Map<string, HandedOut>;
  private readonly signatures = new Map<string, string>();
  private created: Actor | null = null;

  constructor(
    private readonly served: Served,
    readonly stage: Stage,
  ) {
    this.handed = new Map(stage.handed);
  }

  async play(step: Step): Promise<void> {
    if ('passes' in step) {
      this.served.advance(step.passes * 1000);
      if (step.works) await this.served.billing.worker.charge();
      return;
    }
    this.served.advance(step.seconds * 1000);
    const actor = this.actor(step.actor);
    const draft = sketch(step, actor, this.stage, await this.fields(step, actor));
    if (draft === null) return;
    if (draft.method === 'HEAD') await this.sendHead(draft);
    else await this.send(draft);
  }

  private actor(name: string): Actor {
    const found = name === 'created' ? this.created : this.stage.actors.get(name);
    const actor = found ?? this.stage.actors.get('pending');
    if (actor === undefined) throw new Error(`The stage has no ${name}.`);
    return actor;
  }

  /** What the wallet has in its hand for a submit or a confirmation, asked for first when it has nothing. */
  private async fields(ask: Ask, actor: Actor): Promise<[string, unknown][]> {
    const signer = actor.signer ?? this.anySigner();
    if (ask.operation.endsWith('/submit')) {
      if (!this.handed.has(actor.id) && ask.hand !== 'waits')
        await this.plain(`/v1/subscriptions/${actor.id}/transaction`, actor);
      const handed = this.handed.get(actor.id);
      if (handed === undefined)
        return [
          ['transaction', 'AQAB'],
          ['terms_signature', '1'.repeat(64)],
        ];
      const other = [...this.stage.actors.values()].find(
        (one) => one.id !== actor.id && this.handed.has(one.id),
      );
      const theirs = this.handed.get(other?.id ?? '');
      // Once in a while the wallet of another checkout signs.
      if (ask.hand === 'waits' && other?.signer != null && theirs !== undefined) {
        return [
          ['transaction', await signBuilt(other.signer, theirs.transaction)],
          ['terms_signature', await signText(signer, handed.terms.message)],
        ];
      }
      const by = ask.hand === 'signs' ? this.anySigner() : signer;
      return [
        ['transaction', await signBuilt(signer, handed.transaction)],
        ['terms_signature', await signText(by, handed.terms.message)],
      ];
    }
    const action = /\/(cancel|resume|close)\/confirm$/.exec(ask.operation)?.[1];
    if (action === undefined) return [];
    if (ask.hand !== 'waits') await this.sign(ask, action, actor, signer);
    return [['signature', this.signatures.get(`${actor.id} ${action}`) ?? '1'.repeat(64)]];
  }

  private async sign(ask: Ask, action: string, actor: Actor, signer: KeyPairSigner): Promise<void> {
    const { answer, body } = await this.plain(`/v1/subscriptions/${actor.id}/${action}`, actor);
    if (answer.status !== 201) return;
    const wire = await signBuilt(signer, String(body['transaction']));
    const { signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
    const bytes = signatures[signer.address];
    if (bytes != null) this.signatures.set(`${actor.id} ${action}`, getBase58Decoder().decode(bytes));
    // The chain may refuse what was in order when it was built.
    if (ask.hand === 'sends') await sendWire(this.served.rpc, wire).catch(() => undefined);
  }

  private anySigner(): KeyPairSigner {
    const [signer] = this.stage.strangers;
    if (signer === undefined) throw new Error('The stage has strangers.');
    return signer;
  }

  private plain(path: string, actor: Actor): Promise<Told> {
    const key = this.stage.keys[actor.project];
    return this.send({
      method: 'POST',
      address: path,
      body: null,
      headers: { Authorization: `Bearer ${key}` },
    });
  }

  /** requests#head-requests: HEAD answers as GET does, without the body. */
  private async sendHead(draft: Sketch): Promise<void> {
    const asked = await this.send({ ...draft, method: 'GET', body: null });
    const head = await this.send({ ...draft, body: null });
    const names = (told: Told) => [...told.answer.headers.keys()].sort().join(' ');
    // Two calls in a row are not broken alike.
    if (Math.max(asked.answer.status, head.answer.status) >= 500) return;
    if (asked.answer.status !== head.answer.status || names(asked) !== names(head)) {
      throw new Error(
        `HEAD answers ${head.answer.status} (${names(head)}), GET ${asked.answer.status} (${names(asked)})`,
      );
    }
  }

  private async send({ method, address, body, headers }: Sketch): Promise<Told> {
    const request = requestOf(`https://billing.example${address}`, { method, headers, body });
    if (request === null) return NOTHING_SENT;
    const before = this.served.rows.all();
    const response = await this.served.handler(request, { ip: '203.0.113.7' });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    const operation = operationOf(request.method, request.url);
    const faults = [...faultsOf(operation, request.method, answer)];
    const refused = answer.status >= 400 && answer.status < 500;
    if (refused && !sameRows(before, this.served.rows.all())) faults.push('invariants#refusals-change-nothing: a refusal changed rows');
    const told: Told = { operation, method: request.method, answer, body: bodyOf(answer), faults };
    this.told.push(told);
    this.note(told, request);
    if (faults.length > 0) {
      const sent = `${request.method} ${request.url.slice(0, 300)}`;
      throw new Error(
        [sent, `answered ${answer.status}`, ...faults, ...this.served.logged.splice(0)].join('\n'),
      );
    }
    return told;
  }

  /** Keeps what was handed out for the wallets. */
  private note({ operation, answer, body }: Told, { url }: Request): void {
    if (answer.status !== 201) return;
    if (operation === 'POST /v1/subscriptions' || operation === 'POST /v1/subscriptions/{id}/transaction') {
      const { id } = body['subscription'] as { id: string };
      this.handed.set(id, body as unknown as HandedOut);
      if (operation === 'POST /v1/subscriptions')
        this.noteCreated(id, (body['terms'] as HandedOut['terms']).message);
    }
    if (operation === 'POST /v1/subscriptions/{id}/submit')
      this.handed.delete(new URL(url).pathname.split('/')[3] ?? '');
  }

  private noteCreated(id: string, message: string): void {
    const known = [
      ...this.stage.strangers,
      ...[...this.stage.actors.values()].flatMap(({ signer }) => signer ?? []),
    ];
    const signer = known.find(({ address }) => message.includes(`Wallet: ${address}`));
    if (signer === undefined) return;
    const { address: wallet } = signer;
    this.created = { id, project: 'business', plan: 'pro', signer, wallet, externalId: null };
  }
}

const NOTHING_SENT: Told = {
  ...{ operation: null, method: 'GET', body: {}, faults: [] },
  answer: { status: 0, headers: new Headers(), text: '' },
};

function sameRows(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}

function bodyOf({ text }: Answer): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Null for what no client could send at all: fetch has no form for it. */
function requestOf(url: string, init: RequestInit): Request | null {
  try {
    return new Request(url, init);
  } catch {
    return null;
  }
}
