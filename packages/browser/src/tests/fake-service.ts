import { ERRORS, type ErrorCode } from '@subrail/core';
import type {
  AttemptPage,
  AttemptWire,
  Confirmation,
  CustomerCreated,
  CustomerSession,
  CustomerSubscription,
  PlanWire,
  ReasonCode,
  TermsFact,
} from '@subrail/core/schemas';
import type { Missing } from '../problem.js';

/** The fault of a call: its request or its answer is lost, or a code refuses it. */
export type Fault = 'request lost' | 'answer lost' | ErrorCode | { readonly reason: ReasonCode };

/** A call as it came. */
export interface Call {
  readonly route: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, string>>;
  readonly credentials: string | undefined;
  readonly url: string;
}

interface Checkout {
  readonly subscription: CustomerSubscription;
  readonly email: string | null;
  terms: CustomerCreated['terms'] & { isSpent: boolean };
  built: { readonly transaction: string; readonly expiresAt: number } | null;
  /** What was co-signed, by its bytes: when it lands, or null when it never does. */
  readonly sent: Map<string, number | null>;
}

export const SECRET = `chs_${'s'.repeat(43)}`;
const TERMS_MS = 300_000;
const TRANSACTION_MS = 60_000;

export const PRO: PlanWire = {
  slug: 'pro',
  name: 'Pro',
  description: null,
  project_name: 'Acme',
  logo_url: null,
  amount: '9990000',
  amount_display: '9.99',
  amount_usd: '9.99',
  decimals: 6,
  symbol: 'USDC',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  token: { symbol: 'USDC', name: 'USD Coin', logo_url: null, verified: true },
  period_hours: 720,
  network: 'devnet',
  status: 'active',
  available: true,
  ends_at: null,
};

const iso = (ms: number) => new Date(ms).toISOString();

export function subscriptionOf(id: string, more: Partial<CustomerSubscription> = {}): CustomerSubscription {
  return {
    id,
    status: 'active',
    paused: false,
    end_reason: null,
    late_reason: null,
    stop_reason: null,
    access: true,
    payment_status: 'paid',
    blocked_since: null,
    blocked_reason: null,
    plan: 'pro',
    wallet: 'payer-1',
    email: null,
    external_id: null,
    current_period_start: null,
    current_period_end: null,
    next_charge_at: null,
    next_retry_at: null,
    retry_deadline: null,
    next_retry_number: null,
    retries_allowed: null,
    access_until: null,
    closable: false,
    closable_from: null,
    created_at: iso(0),
    confirmed_at: iso(0),
    actions: ['cancel'],
    changes_to: [],
    ...more,
  };
}

/**
 * The routes of a customer as the rules have them, in memory: one session of one project. Time is that of
 * `Date.now`. Faults are taken from a script, by route.
 */
export class FakeService {
  readonly calls: Call[] = [];
  /** The payments that landed, by wallet and plan. */
  readonly paid: string[] = [];
  /** Submits that break the promise of the engine: other bytes while earlier ones may land. */
  readonly violations: string[] = [];
  readonly faults = new Map<string, (Fault | null)[]>();
  readonly subscriptions = new Map<string, CustomerSubscription>();
  readonly plans = [PRO, { ...PRO, slug: 'team', name: 'Team', amount_display: '20' }];
  session: Partial<CustomerSession> = {};
  /** How long a payment takes to land; null when the chain drops it. */
  landsAfter: number | null = 400;
  /** How long a submit waits for the chain. */
  waits = 90_000;
  /** The price as the terms name it. */
  price = '9.99';
  /** Called at each step of a call: before the service sees it, and once it is done with it. */
  onStep: () => void = () => undefined;
  private readonly checkouts = new Map<string, Checkout>();
  private count = 0;
  /** The bytes that were submitted last, and whether the caller knows that they are over. */
  private last: { readonly bytes: string; isKnownOver: boolean } | null = null;

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, 'https://app.test');
    const path = url.pathname.replace(/^.*?(?=\/(session|subscriptions|receipts|links))/, '');
    const route = `${init.method ?? 'GET'} ${path.replace(/(sub|lnk)_[a-z0-9]+/, '{id}')}`;
    const body = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, string>;
    const call: Call = {
      route,
      headers: new Headers(init.headers),
      body,
      credentials: init.credentials,
      url: url.href,
    };
    this.calls.push(call);
    this.onStep();
    const fault = this.faults.get(route)?.shift() ?? null;
    const lost = () => Promise.reject<Response>(new TypeError('fetch failed'));
    if (fault === 'request lost' || init.signal?.aborted === true) return lost();
    const isCode = typeof fault === 'string' && fault !== 'answer lost';
    const id = /(sub|lnk)_[a-z0-9]+/.exec(path)?.[0] ?? '';
    const answer = isCode
      ? refusal(fault)
      : await this.answer(route, id, call, typeof fault === 'object' ? fault : null);
    this.onStep();
    // A page that was closed hears nothing of it.
    if (fault === 'answer lost' || (init.signal as AbortSignal | undefined)?.aborted === true) return lost();
    if (route.endsWith('/submit')) await this.hear(answer.clone());
    return answer;
  };

  private async answer(
    route: string,
    id: string,
    { body, headers }: Call,
    fault: { readonly reason: ReasonCode } | null,
  ): Promise<Response> {
    if (headers.get('Service-Version') !== '2026-10-02') return refusal('invalid_request');
    switch (route) {
      case 'GET /session':
        return json(this.read());
      case 'POST /links/{id}/sessions':
        return json({ secret: SECRET, session: this.read() }, 201);
      case 'GET /subscriptions':
        return json({ data: [...this.subscriptions.values()], has_more: false });
      case 'POST /subscriptions':
        return this.create(body['plan'] ?? '', body['wallet'] ?? '', body['email'] ?? null);
      case 'GET /subscriptions/{id}': {
        this.land();
        const found = this.subscriptions.get(id) ?? this.checkouts.get(id)?.subscription;
        return found === undefined ? refusal('subscription_not_found') : json(found);
      }
      case 'GET /subscriptions/{id}/attempts':
        return json(this.attempts());
      case 'GET /receipts/att_0':
        return json({ number: 'NIGHT-000042' });
      case 'POST /subscriptions/{id}/transaction': {
        const checkout = this.checkouts.get(id);
        if (checkout === undefined) return refusal('subscription_not_found');
        this.land();
        if (this.subscriptions.has(id)) return refusal('not_awaiting_signature');
        return json(this.build(checkout), 201);
      }
      case 'POST /subscriptions/{id}/submit':
        return this.submit(id, body, fault);
      case 'POST /subscriptions/{id}/send':
        return json({ signature: 'sent' }, 201);
      case 'POST /subscriptions/{id}/retry':
        return json(this.subscriptions.get(id), 202);
      default:
        return this.action(route, id, fault);
    }
  }

  private attempts(): AttemptPage {
    const charge = {
      attempted_at: iso(Date.now()),
      reason: null,
      amount: '5000000',
      amount_received: null,
      amount_usd: null,
      retry: false,
      retry_number: null,
      retries_allowed: null,
      period_start: null,
    };
    const data = this.paid.flatMap((signature, index): AttemptWire[] => [
      { ...charge, id: `att_failed${index}`, outcome: 'rejected', signature: null },
      { ...charge, id: `att_${index}`, outcome: 'paid', signature },
    ]);
    return { data, has_more: false, paid: { count: this.paid.length, amount: '5000000' } };
  }

  /** A cancel, a resume and a close: built, and confirmed at once. */
  private action(route: string, id: string, fault: { readonly reason: ReasonCode } | null): Response {
    const subscription = this.subscriptions.get(id);
    const [, action, isConfirm] = /\/(cancel|resume|close)(\/confirm)?$/.exec(route) ?? [];
    if (subscription === undefined || action === undefined) return refusal('subscription_not_found');
    if (isConfirm === undefined) return json(this.transaction(), 201);
    const reason = fault === null ? {} : { reason: 'It did not.', reason_code: fault.reason };
    const status = { cancel: 'cancelled', resume: 'active', close: 'ended' }[action] ?? 'active';
    const now = { ...subscription, ...(fault === null ? { status } : {}) } as CustomerSubscription;
    this.subscriptions.set(id, now);
    return json({ subscription: now, ...reason }, 201);
  }

  private read(): CustomerSession {
    this.land();
    return {
      id: 'chk_1',
      kind: 'checkout',
      state: this.paid.length > 0 ? 'complete' : 'open',
      project: { name: 'Acme', accent: null, logo: null },
      service: 'Subrail',
      network: 'devnet',
      plans: this.plans.map((plan) => ({ ...plan, offered: true })),
      replaces: null,
      customer: { known: false, email: null },
      ask_email: false,
      success_url: 'https://shop.example/thanks?a=b',
      back_url: null,
      locale: null,
      expires_at: null,
      subscriptions: [...this.subscriptions.values()],
      has_more: false,
      ...this.session,
    };
  }

  private create(plan: string, wallet: string, email: string | null): Response {
    this.land();
    const price = this.plans.find(({ slug }) => slug === plan);
    if (price === undefined) return refusal('plan_not_found');
    if (this.read().state === 'complete') return refusal('session_complete');
    const running = [...this.subscriptions.values()].some(
      (one) => one.wallet === wallet && one.plan === plan,
    );
    if (running) return refusal('already_subscribed');
    const same = [...this.checkouts.values()].find(
      (one) => one.subscription.wallet === wallet && one.subscription.plan === plan && one.email === email,
    );
    const id = `sub_new${(this.count += 1)}`;
    const made = same ?? {
      subscription: subscriptionOf(id, { status: 'pending', confirmed_at: null, wallet, plan, email }),
      email,
      terms: { message: '', expires_at: iso(0), facts: [], isSpent: true },
      built: null,
      sent: new Map<string, number | null>(),
    };
    this.checkouts.set(made.subscription.id, made);
    return json(this.build(made), 201);
  }

  private factsOf({ subscription }: Checkout, nonce: number, expires: string): readonly TermsFact[] {
    const fact = (name: TermsFact['name'], label: string, value: string) => ({
      name,
      label,
      value,
      folded: false,
    });
    return [
      fact('amount', 'Amount', `${this.price} USDC every 30 days`),
      fact('wallet', 'Wallet', subscription.wallet),
      fact('nonce', 'Nonce', String(nonce)),
      fact('expires', 'Expires', expires),
    ];
  }

  private build(checkout: Checkout): CustomerCreated {
    const { terms } = checkout;
    const isOld =
      terms.isSpent ||
      Date.parse(terms.expires_at) <= Date.now() ||
      !terms.message.includes(`Amount: ${this.price} `);
    if (isOld) {
      const expires = iso(Date.now() + TERMS_MS);
      const facts = this.factsOf(checkout, (this.count += 1), expires);
      const message = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
      checkout.terms = { message, expires_at: expires, facts: [...facts], isSpent: false };
    }
    const built = this.transaction();
    checkout.built = { transaction: built.transaction, expiresAt: Date.now() + TRANSACTION_MS };
    const { message, expires_at, facts } = checkout.terms;
    return {
      subscription: { id: checkout.subscription.id, status: 'pending' },
      ...built,
      costs: {
        rent: { subscription: '2039280', authority: null, total: '2039280' },
        fee: { signatures: 2, per_signature: '5000', priority: '0', total: '10000' },
        total: '2049280',
      },
      terms: { message, expires_at, facts },
    };
  }

  private transaction() {
    return {
      transaction: btoa(`transaction ${(this.count += 1)}`),
      last_valid_block_height: '1',
      transaction_expires_at: iso(Date.now() + TRANSACTION_MS),
    };
  }

  private async submit(
    id: string,
    body: Readonly<Record<string, string>>,
    fault: { readonly reason: ReasonCode } | null,
  ): Promise<Response> {
    const { transaction: bytes = '', terms_signature: signature = '' } = body;
    if (this.last !== null && this.last.bytes !== bytes && !this.last.isKnownOver)
      this.violations.push(`${bytes} after ${this.last.bytes}`);
    if (this.last?.bytes !== bytes) this.last = { bytes, isKnownOver: false };
    const checkout = this.checkouts.get(id);
    if (checkout === undefined) return refusal('subscription_not_found');
    this.land();
    if (!checkout.sent.has(bytes)) {
      const { built, terms, subscription } = checkout;
      if (this.subscriptions.has(id)) return refusal('not_awaiting_signature');
      if (built === null) return refusal('transaction_not_built');
      if (!atob(bytes).endsWith(atob(built.transaction))) return refusal('not_our_transaction');
      if (atob(signature) !== `${subscription.wallet} signs ${terms.message}`)
        return refusal('invalid_terms_signature');
      if (terms.isSpent) return refusal('terms_used');
      if (Date.parse(terms.expires_at) <= Date.now()) return refusal('terms_expired');
      if (!terms.message.includes(`Amount: ${this.price} `)) return refusal('terms_changed');
      if (built.expiresAt <= Date.now()) return refusal('transaction_expired');
      if ([...checkout.sent.values()].some((at) => at !== null)) return refusal('subscription_changed');
      terms.isSpent = true;
      const never = fault !== null && fault.reason !== 'nothing_landed';
      checkout.sent.set(bytes, never || this.landsAfter === null ? null : Date.now() + this.landsAfter);
    }
    if (fault !== null) return confirmation(checkout.subscription, fault.reason);
    const at = checkout.sent.get(bytes) ?? null;
    if (at === null) {
      await new Promise((resolve) => setTimeout(resolve, TRANSACTION_MS));
      return confirmation(checkout.subscription, 'transaction_expired');
    }
    const wait = Math.min(this.waits, Math.max(0, at - Date.now()));
    await new Promise((resolve) => setTimeout(resolve, wait));
    this.land();
    const paid = this.subscriptions.get(id);
    return paid === undefined ? confirmation(checkout.subscription, 'nothing_landed') : confirmation(paid);
  }

  /** What the caller knows now of the bytes that it submitted last. */
  private async hear(answer: Response) {
    const { code, reason_code: reason } = (await answer.json()) as {
      readonly code?: ErrorCode;
      readonly reason_code?: ReasonCode;
    };
    if (this.last === null) return;
    const isOpen = reason === 'nothing_landed' || (code !== undefined && ERRORS[code].retryable);
    this.last.isKnownOver ||= !isOpen;
  }

  private land() {
    for (const { sent, subscription } of this.checkouts.values())
      for (const [bytes, at] of sent) {
        if (at === null || at > Date.now()) continue;
        sent.set(bytes, null);
        const { id, wallet, plan } = subscription;
        if (this.subscriptions.has(id)) this.violations.push(`${id} was paid twice`);
        this.paid.push(`${wallet} ${plan}`);
        this.subscriptions.set(id, subscriptionOf(id, { wallet, plan, confirmed_at: iso(Date.now()) }));
      }
  }
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status });
}

function confirmation(subscription: CustomerSubscription, code?: ReasonCode): Response {
  const { actions: _, changes_to: __, ...wire } = subscription;
  const answer: Confirmation =
    code === undefined
      ? { subscription: wire }
      : { subscription: wire, reason: `Because of ${code}.`, reason_code: code };
  return json(answer, 201);
}

/** The money that a wallet lacks, by the code that says so. */
export const MISSING: Readonly<Partial<Record<ErrorCode, Missing>>> = {
  insufficient_balance: { of: 'token', amount: '5790000', needed: '9990000', decimals: 6, symbol: 'USDC' },
  insufficient_lamports: { of: 'sol', amount: '1049280', needed: '2049280', decimals: 9, symbol: 'SOL' },
};

/** The refusal of a code, with its `Retry-After` and what is missing. */
function refusal(code: ErrorCode): Response {
  const { status, retryable, retryAfter, message } = ERRORS[code];
  const missing = MISSING[code];
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  return new Response(JSON.stringify({ statusCode: status, code, message, retryable, missing }), {
    status,
    ...(headers === undefined ? {} : { headers }),
  });
}
