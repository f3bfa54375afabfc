import type { Language } from '@subrail/browser';
import { ERRORS, type ErrorCode, type OpenApiDocument } from '@subrail/core';
import type { ReasonCode } from '@subrail/core/schemas';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A POST of a customer: create, or the end of the path of one about a subscription. */
export type CallName =
  | 'create'
  | 'transaction'
  | 'submit'
  | 'retry'
  | 'send'
  | `${'cancel' | 'resume' | 'close'}${'' | '/confirm'}`;

/** An answer in place of the service's own: a refusal, or a reason why nothing was settled. */
export interface Refusal {
  readonly call: CallName;
  readonly code: ErrorCode | ReasonCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const CONFIRMS = ['cancel/confirm', 'resume/confirm', 'close/confirm'] as const;

/** The calls whose answer may have a reason. */
const CALLS_OF_REASONS: Readonly<Record<ReasonCode, readonly CallName[]>> = {
  not_our_transaction: ['submit'],
  transaction_failed: ['submit', ...CONFIRMS],
  transaction_expired: ['submit', ...CONFIRMS],
  nothing_landed: ['submit'],
  subscription_mismatch: ['submit'],
  dev_not_running: ['submit'],
  earlier_subscription_running: ['submit'],
  subscription_remade: ['submit'],
  subscription_not_on_chain: ['cancel/confirm', 'resume/confirm'],
  cancellation_not_landed: ['cancel/confirm'],
  resume_not_landed: ['resume/confirm'],
  close_not_landed: ['close/confirm'],
  subscription_changed: ['cancel/confirm', 'close/confirm'],
  subscription_not_cancelled: ['resume/confirm'],
  cancelled_subscription_remade: ['resume/confirm'],
  resume_unverified: ['resume/confirm'],
};

/**
 * Everything that a call can answer instead of a success: the errors as the document of the service describes
 * them, and then the reasons.
 */
export async function refusalsOf(service: string, call: CallName): Promise<readonly Refusal[]> {
  const answer = await fetch(`${service}/customer/openapi.json`);
  const { paths } = (await answer.json()) as OpenApiDocument;
  const path = `/customer/v1/subscriptions${call === 'create' ? '' : `/{id}/${call}`}`;
  const responses = Object.values(paths[path]?.['post']?.responses ?? {});
  const bodies = responses.flatMap(({ content }) =>
    Object.entries(content?.['application/json']?.examples ?? {}),
  );
  const errors = bodies.flatMap(([name, { value }]): readonly Refusal[] => {
    if (!Object.hasOwn(ERRORS, name)) return [];
    const code = name as ErrorCode;
    const { status, retryAfter } = ERRORS[code] as { readonly status: number; readonly retryAfter?: number };
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return [{ call, code, status, headers, body: value as object }];
  });
  expect(errors.length).toBeGreaterThan(10);
  const reasons = (Object.keys(CALLS_OF_REASONS) as ReasonCode[])
    .filter((code) => CALLS_OF_REASONS[code].includes(call))
    .map((code) => ({
      call,
      code,
      status: 201,
      headers: {},
      body: { reason: `Because of ${code}.`, reason_code: code },
    }));
  return [...errors, ...reasons];
}

/** A problem as a page told it, and what the page showed with it. */
export interface Told {
  readonly code: keyof Language['problems'];
  readonly sentence: string;
  readonly next: keyof Language['steps'];
  readonly retryAfter: number | null;
  readonly notice: string;
  /** The words on its buttons and links. */
  readonly ways: readonly string[];
}

/** More calls than the engine makes before it tells that they were refused. */
const MOST_REFUSED = 6;

/** Reports what is shown with each problem, and lets pauses pass at once; limits of calls stay. */
const WATCHED = `
  const wait = setTimeout;
  globalThis.setTimeout = (done, ms, ...given) => wait(done, ms < 30_000 ? 0 : ms, ...given);
  addEventListener('subrail-problem', async (event) => {
    const [element] = event.composedPath();
    await element.updateComplete;
    const textsOf = (selector) =>
      Array.from(element.shadowRoot.querySelectorAll(selector), (one) => one.innerText.trim());
    const notice = textsOf('[part~="notice"]').join(' ');
    subrailTold({ ...event.detail.problem, notice, ways: textsOf('button, a') });
  });
`;

/** A page to which the service refuses calls. */
export interface RefusedPage {
  readonly page: Page;
  /**
   * Refuses a call until the page tells a problem. Resolves to that, or to null when the page went on to
   * `end` by itself.
   */
  readonly meet: (
    refusal: Refusal,
    begin: () => Promise<unknown>,
    end: RegExp | string,
  ) => Promise<Told | null>;
}

/** Refuses the calls of a page. `wireOf` reads a subscription, which an answer with a reason has too. */
export async function refusedPage(page: Page, wireOf: (id: string) => Promise<object>): Promise<RefusedPage> {
  let now: { readonly refusal: Refusal; left: number } | null = null;
  let tell: (told: Told) => void = () => undefined;
  await page.exposeFunction('subrailTold', (told: Told) => {
    now = null;
    tell(told);
  });
  await page.addInitScript(WATCHED);
  await page.route('**/customer/v1/subscriptions**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const [, id, name = 'create'] = /\/subscriptions(?:\/(\w+)\/(.+))?$/.exec(pathname) ?? [];
    if (now === null || now.left === 0 || name !== now.refusal.call || route.request().method() !== 'POST')
      return route.continue();
    now.left -= 1;
    const { status, headers, body } = now.refusal;
    const json = status === 201 ? { subscription: await wireOf(id ?? ''), ...body } : body;
    return route.fulfill({ status, headers, json });
  });
  return {
    page,
    async meet(refusal, begin, end) {
      const own = { refusal, left: MOST_REFUSED };
      now = own;
      const told = new Promise<Told>((resolve) => (tell = resolve));
      await begin();
      const wentOn = page.getByText(end).first().waitFor();
      const first = await Promise.race([told, wentOn.then(() => null)]);
      wentOn.catch(() => undefined);
      expect(own.left, 'the calls that may still be refused').toBeLessThan(MOST_REFUSED);
      now = null;
      return first;
    },
  };
}

/** Fills in what a sentence names, as the page does. */
export function filledIn(sentence: string, { retryAfter }: Told): string {
  return sentence.replace('{seconds}', String(retryAfter ?? 60));
}
