import {
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
  html,
} from 'lit';
import type { CustomerSession } from '@subrail/core/schemas';
import type { Delay, Machine } from '../machine.js';
import type { Chain, MachineOptions } from '../options.js';
import type { Problem } from '../problem.js';
import { formatsOf } from '../formats.js';
import type { Kit, PageInput } from './kit.js';
import { languageFor } from './languages.js';
import { lookOf } from './project-look.js';
import { style } from './style.js';
import type { ElementLanguage, Words } from './words.js';

/** The fields that the states of both machines may have. */
interface AnyState {
  readonly name: string;
  readonly session?: CustomerSession | null;
  readonly problem?: Problem | null;
}

/** The options of an element, which has any of the things that open its machine, or none yet. */
export interface ElementOptions extends MachineOptions {
  readonly session: string | null;
  readonly link: string | null;
  readonly url: string | null;
}

/** The subject of a state. */
export interface About {
  readonly heading: (words: Words) => string | null;
  readonly session: CustomerSession | null;
}

const NO_INPUT: PageInput = { copied: '', email: '', isEmailWrong: false };

/** The properties that begin another machine when they change. */
const BEGIN_ANEW = ['session', 'url', 'link', 'chain', 'service', 'plan', 'machine'];

/**
 * An element that shows the states of a machine. It begins one as soon as it stands on a page and has what
 * opens it, and ends it when it is taken away.
 */
export abstract class MachineElement<State extends AnyState & Delay> extends LitElement {
  static override styles = style;
  static override properties: PropertyDeclarations = {
    session: {},
    link: {},
    url: {},
    chain: {},
    service: {},
    locale: {},
    portal: {},
    login: {},
    brand: {},
    level: { type: Number },
    language: { attribute: false },
    input: { state: true },
  };

  /** The secret of a session. */
  declare session: string | null;
  /** The id of a plan link. */
  declare link: string | null;
  /** Where the app's own server serves the customer's routes. */
  declare url: string | null;
  /** The address of the service; the folder of the page when absent. */
  declare service: string | null;
  /** The language, such as `de`; that of the session or the browser when absent. */
  declare locale: string | null;
  /** Where the customer's subscriptions are shown, for whoever has subscribed already. */
  declare portal: string | null;
  /** The address of the app's log-in. */
  declare login: string | null;
  /** The name of the service, for a page without a session that says whom the customer pays. */
  declare brand: string | null;
  /**
   * The chain of a portal without a session, such as `solana:mainnet`. Beside a session, `solana:localnet`
   * says that no explorer shows its transactions.
   */
  declare chain: Chain | null;
  /** The level of the first heading; 2 when absent. */
  declare level: number;
  /** Sentences and words of another language. */
  declare language: ElementLanguage | null;
  /** What the person did on the page that the machine does not know. */
  declare protected input: PageInput;

  #machine: Machine<State> | null = null;
  #unsubscribe: () => void = () => undefined;
  #isOwn = true;
  #told: Problem | null = null;
  /** Whether a person has done something here: before, the focus is where the page put it. */
  #isUsed = false;

  constructor() {
    super();
    this.session = null;
    this.link = null;
    this.url = null;
    this.service = null;
    this.locale = null;
    this.portal = null;
    this.login = null;
    this.brand = null;
    this.chain = null;
    this.level = 2;
    this.language = null;
    this.input = NO_INPUT;
    this.addEventListener('click', () => {
      this.#isUsed = true;
    });
  }

  /** The state that is shown; null before there is one. */
  get state(): State | null {
    return this.#machine?.state ?? null;
  }

  /** Begins a machine; null while nothing says which. */
  protected abstract begin(options: ElementOptions): Machine<State> | null;
  /** The content for a state. */
  protected abstract view(state: State, kit: Kit): TemplateResult;
  /** The heading of a state, null without one, and the session that it is about. */
  protected abstract about(state: State): About;
  /** The sentence that a screen reader says for a state. */
  protected abstract sentence(state: State, kit: Kit): string;

  /** Whether the machine is another one's, which ends it. */
  protected get isBorrowed(): boolean {
    return false;
  }

  override connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.restart();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#end();
  }

  /** Begins anew, for a customer who has logged in meanwhile. */
  restart() {
    this.#end();
    this.input = NO_INPUT;
    const ways = { login: () => this.login ?? undefined, portal: () => this.portal ?? undefined };
    const machine = this.begin({
      session: this.session,
      link: this.link,
      url: this.url,
      service: this.service ?? undefined,
      language: (locale) => this.#languageFor(locale),
      // Read when a problem leads there: a page may set them later.
      get login() {
        return ways.login();
      },
      get portal() {
        return ways.portal();
      },
    });
    this.#machine = machine;
    this.#isOwn = !this.isBorrowed;
    if (machine !== null) {
      this.#unsubscribe = machine.subscribe(() => this.#changed());
      this.#changed();
    }
  }

  #end() {
    this.#unsubscribe();
    this.#unsubscribe = () => undefined;
    if (this.#isOwn) this.#machine?.destroy();
    this.#machine = null;
  }

  #changed() {
    const { state } = this;
    if (state === null) return;
    this.requestUpdate();
    if (state.session != null)
      for (const [name, color] of Object.entries(lookOf(state.session.project)))
        this.style.setProperty(name, color);
    this.emit('subrail-state', { state });
    const problem = state.problem ?? null;
    if (problem !== null && problem !== this.#told) this.emit('subrail-problem', { problem });
    this.#told = problem;
    this.told(state);
  }

  /** The title for a page that shows this element alone: what happens, and with whom. Null at first. */
  get pageTitle(): string | null {
    const { state } = this;
    if (state === null) return null;
    const { heading, session } = this.about(state);
    const { words } = this.#languageFor(session?.locale ?? null);
    const [what, name] = [heading(words), session?.project.name ?? this.brand];
    return what === null || name === null ? what : `${what} – ${name}`;
  }

  /** Tells the app of a state, besides what both elements tell. */
  protected told(_state: State): void {
    // Most states need nothing else.
  }

  protected emit(name: string, detail: object) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  #languageFor(locale: string | null): ElementLanguage {
    return this.language ?? languageFor(this.locale, locale, ...navigator.languages);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (this.isConnected && (!this.hasUpdated || BEGIN_ANEW.some((name) => changed.has(name))))
      this.restart();
  }

  /** The heading of the step that is shown, or the outcome below it. */
  get #step(): HTMLElement | null {
    return [...(this.shadowRoot?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])].at(-1) ?? null;
  }

  protected override update(changed: PropertyValues) {
    const [step, text] = [this.#step, this.#step?.textContent];
    const active = this.shadowRoot?.activeElement ?? null;
    super.update(changed);
    const now = this.shadowRoot?.activeElement ?? null;
    const isLost = active !== null && now !== active;
    // The dialog of a wallet had the focus, and what it gave it back to is gone.
    const isNowhere = this.#isUsed && (document.activeElement ?? document.body) === document.body;
    const isNext = this.#step !== step || this.#step?.textContent !== text;
    // The element that had the focus is gone: the reader goes on at the new step.
    if (isLost || (isNowhere && isNext)) this.#step?.focus();
  }

  protected override render() {
    const { state } = this;
    if (state === null) return nothing;
    const language = this.#languageFor(state.session?.locale ?? null);
    const kit: Kit = {
      language,
      words: language.words,
      formats: formatsOf(language),
      level: this.level,
      portal: this.portal,
      login: this.login,
      brand: this.brand,
      chain: this.chain,
      input: this.input,
      change: (input) => {
        this.input = { ...this.input, ...input };
      },
    };
    return html`<div lang=${language.locale}>
      ${this.view(state, kit)}
      <p class="hidden" role="status">${state.delay ?? this.sentence(state, kit)}</p>
    </div>`;
  }
}
