import type { SigningWallet, WalletRefusal } from '@subrail/browser/wallets';
import type { BuildAnswer, ManagedPlan } from '@subrail/core/schemas';
import { html, nothing, render, type TemplateResult } from 'lit';
import { CallError, type ProjectRoutes } from './api.js';
import { opened } from './ask.js';
import { failureText } from './failure.js';
import { type KeptSignature, keptSignatureOf } from './kept-signature.js';
import { type Change, factsOf } from './plan-change.js';
import { settleSignature } from './settle-signature.js';
import { findWallets } from './wallet-buttons.js';
import { words } from './words.js';

const texts = words.signing;

/** A step of signing, as the dialog shows it. */
type Stage =
  /** The wallet is chosen. `problem` is why again. */
  | { readonly name: 'review'; readonly problem: string | null }
  /** The wallet, the service or the chain is waited for. */
  | { readonly name: 'waiting'; readonly sentence: string }
  | { readonly name: 'elsewhere'; readonly transaction: string }
  /** Its outcome is not known, or it can no longer arrive. */
  | { readonly name: 'open' | 'over'; readonly sentence: string };

/** Log-ins that are over: the page shows its log-in, and no dialog above it. */
const isOfLogIn = (error: unknown): error is CallError =>
  error instanceof CallError && ['missing_api_key', 'invalid_api_key'].includes(error.code);

/**
 * Has the owner of a plan sign a change of it, sends it, and waits until the chain shows it. With `kept` it
 * goes on with one that was signed before. Resolves to the sentence of what was done, and to null when the
 * dialog was left.
 */
export function signChange(
  routes: ProjectRoutes,
  plan: ManagedPlan,
  change: Change,
  kept: KeptSignature | null = null,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const path = `plans/${encodeURIComponent(plan.slug)}`;
    const store = keptSignatureOf(plan.id);
    const dialog = opened('sign');
    const { step } = change;
    let stage: Stage = { name: 'review', problem: null };
    const found = findWallets(draw);
    let done: string | null = null;
    let failure: Error | null = null;
    // A person may leave the dialog while a wallet is asked.
    const isLeft = () => !dialog.open;

    dialog.addEventListener('close', () => {
      found.stop();
      dialog.remove();
      if (failure === null) resolve(done);
      else reject(failure);
    });

    function show(next: Stage): void {
      stage = next;
      draw();
    }

    function draw(): void {
      render(view(), dialog);
      // The button that was pressed is gone, and the focus with it.
      if (dialog.open && !dialog.contains(document.activeElement))
        dialog.querySelector<HTMLElement>('h2')?.focus();
    }

    /** Runs a step. What fails without an answer of its own is shown by `failed`. */
    function run(work: () => Promise<void>, failed: (error: unknown) => void): void {
      void work().catch((error: unknown) => {
        if (!isOfLogIn(error)) return failed(error);
        failure = error;
        dialog.close();
      });
    }
    const review = (error: unknown) => show({ name: 'review', problem: failureText(error) });

    async function build(): Promise<string> {
      show({ name: 'waiting', sentence: texts.preparing });
      const body = 'body' in change ? change.body : undefined;
      return (await routes.post<BuildAnswer>(`${path}/${step}`, body)).transaction;
    }

    const asked = (): KeptSignature => ({ change, transaction: null, at: Date.now(), isSent: true });

    /** Keeps a signature in place of `own`, and settles it; or what another attempt or tab keeps by now. */
    async function keep(signature: KeptSignature, own: KeptSignature | null): Promise<void> {
      const other = store.read();
      const isOthers = other !== null && other.at !== own?.at;
      if (!isOthers) store.write(signature);
      await settle(isOthers ? other : signature);
    }

    const signWith = (wallet: SigningWallet) =>
      run(async () => {
        const { name } = wallet;
        show({ name: 'waiting', sentence: texts.connecting(name) });
        const accounts = await wallet.connect();
        if (isLeft()) return;
        if (!accounts.includes(plan.owner)) {
          show({
            name: 'review',
            problem: texts.otherAccount(name, accounts[0] ?? words.none, plan.owner),
          });
          return;
        }
        const built = await build();
        if (isLeft()) return;
        // Another tab may have had it signed since.
        const other = store.read();
        if (other !== null) return settle(other);
        show({ name: 'waiting', sentence: texts.signing(name) });
        const own = asked();
        // A wallet that sends by itself may have sent also when no answer of it comes.
        if (wallet.sends) store.write(own);
        const signed = await wallet.sign(plan.owner, built).catch((error: unknown) => {
          const { code } = (error as WalletRefusal).problem;
          if (wallet.sends) store.replace(own, code === 'wallet_failed' ? asked() : null);
          throw error;
        });
        const { transaction } = signed;
        // A signature that only comes when the dialog was left is of no use, unless it was sent.
        if (isLeft() && transaction !== null) return;
        await keep(transaction === null ? asked() : { ...asked(), transaction, isSent: false }, own);
      }, failedToSign);

    function failedToSign(error: unknown): void {
      const left = store.read();
      if (left === null) review(error);
      else show({ name: 'open', sentence: `${failureText(error)} ${texts.unknown}` });
    }

    async function settle(signature: KeptSignature): Promise<void> {
      show({ name: 'waiting', sentence: texts.sending });
      const outcome = await settleSignature(routes, plan, signature, isLeft);
      if (outcome.kind === 'done') {
        done = texts.done[signature.change.step];
        dialog.close();
        return;
      }
      const { kind, error } = outcome;
      const said = error === null || error.code === 'transaction_expired' ? '' : ` ${failureText(error)}`;
      if (kind === 'over') show({ name: 'over', sentence: `${texts.over}${said}` });
      else show({ name: 'open', sentence: error === null ? texts.open : `${texts.unknown}${said}` });
    }

    const goOn = () =>
      run(async () => {
        // What is kept no more was settled by another tab, and the chain shows it.
        const signature = store.read() ?? (kept && { ...kept, isSent: true });
        if (signature === null) show({ name: 'review', problem: null });
        else await settle(signature);
      }, failedToSign);

    const elsewhere = () =>
      run(async () => {
        show({ name: 'elsewhere', transaction: await build() });
      }, review);

    /** Looks for what another wallet was to send. */
    const isSent = () => run(() => keep(asked(), null), failedToSign);

    function view(): TemplateResult {
      return html`<h2 id="sign" tabindex="-1">${texts.titles[step]}</h2>
        ${stageView()}`;
    }

    function stageView(): TemplateResult {
      const close = html`<button @click=${() => dialog.close()}>${words.close}</button>`;
      switch (stage.name) {
        case 'review':
          return reviewView(stage.problem);
        case 'waiting':
          return html`<p role="status">${stage.sentence}</p>
            <div class="actions">${close}</div>`;
        case 'elsewhere':
          return html`<p>${texts.elsewhereHow(plan.owner)}</p>
            <pre tabindex="0" aria-labelledby="sign">${stage.transaction}</pre>
            <div class="actions">
              <button class="primary" @click=${isSent}>${texts.isSent}</button>
              ${copyButton(stage.transaction)} ${close}
            </div>`;
        case 'open':
          return html`<p role="alert" class="notice">${stage.sentence}</p>
            <div class="actions">
              <button class="primary" @click=${goOn}>${texts.look}</button>
              ${close}
            </div>`;
        case 'over':
          return html`<p role="alert" class="notice bad">${stage.sentence}</p>
            <div class="actions">
              <button class="primary" @click=${() => show({ name: 'review', problem: null })}>
                ${texts.signAgain}
              </button>
              ${close}
            </div>`;
      }
    }

    function reviewView(problem: string | null): TemplateResult {
      return html`<dl class="facts">
          ${factsOf(plan, change).map(
            ([name, value, under]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${value}${under === undefined ? nothing : html` <span class="under">${under}</span>`}</dd>
              </div>`,
          )}
        </dl>
        <p class="notice">${texts.forGood[step]}</p>
        <p class="hint">${texts.owner(plan.owner)}</p>
        ${problem === null ? nothing : html`<p role="alert" class="notice bad">${problem}</p>`}
        ${found.view((name) => texts.withWallet(texts.signWith[step], name), signWith)}
        <div class="actions">
          <button @click=${elsewhere}>${texts.elsewhere}</button>
          <button @click=${() => dialog.close()}>${words.cancel}</button>
        </div>`;
    }

    draw();
    dialog.showModal();
    if (kept !== null) goOn();
  });
}

/** A button that copies a text; none without https, where the browser has no clipboard. */
function copyButton(text: string) {
  if (!('clipboard' in navigator)) return nothing;
  const copy = ({ target }: Event) =>
    void navigator.clipboard.writeText(text).then(() => {
      if (target instanceof HTMLElement) target.textContent = words.copied;
    });
  return html`<button @click=${copy}>${words.copy}</button>`;
}
