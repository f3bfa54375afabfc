import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectedWallet } from '../connection.js';
import type { WalletChoice, WalletOption } from '../wallet-choice.js';
import { shortened } from '../formats.js';
import type { Kit } from './kit.js';
import { copyView, iconView, type Piece } from './pieces.js';
import { qrCode } from './qr-code.js';
import type { Words } from './words.js';

/** The fields of a state in which a wallet is chosen. */
type Choice = Pick<WalletChoice, 'connect' | 'links' | 'qr' | 'wallets'>;

/** The fields of a state about a connected wallet. */
interface Connected {
  readonly wallet: ConnectedWallet;
  readonly accounts: readonly string[];
  readonly chooseAccount: (address: string) => void;
  readonly chooseWallet: () => void;
}

/** Where the wallets are from that the page can also open in their apps. */
const SOURCES = [
  ['Phantom', 'https://phantom.com/download'],
  ['Solflare', 'https://www.solflare.com/download/'],
  ['Backpack', 'https://backpack.app/download'],
] as const;

/** Whether the page is held in a hand, where the app of a wallet can open it. */
const isPhone = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** The heading of the choice of a wallet. */
export function choiceTitle({ wallets }: Pick<Choice, 'wallets'>, words: Words): string {
  return wallets.length === 0 ? words.noWallet : words.chooseWallet;
}

/** The wallets to choose from, and the ways to one where there is none. */
export function walletsView(choice: Choice, kit: Kit): TemplateResult {
  const { wallets, connect } = choice;
  if (wallets.length === 0) return withoutWallet(choice, kit);
  return html`<ul class="wallets">
      ${wallets.map((wallet, index) => html`<li>${walletView(wallet, `why-${index}`, connect)}</li>`)}
    </ul>
    ${isPhone() ? elsewhere(kit.words.inApps, appLinks(choice, kit)) : elsewhere(kit.words.onPhone, onPhone(choice, kit))}`;
}

function walletView(wallet: WalletOption, whyId: string, connect: Choice['connect']): TemplateResult {
  const { name, icon, problem } = wallet;
  if (problem === null)
    return html`<button type="button" part="wallet" @click=${() => connect(wallet)}>
      ${iconView(icon)} ${name}
    </button>`;
  return html`<div class="tight">
    <button type="button" part="wallet" aria-disabled="true" aria-describedby=${whyId}>
      ${iconView(icon)} ${name}
    </button>
    <p class="soft small" id=${whyId}>${problem.sentence}</p>
  </div>`;
}

function elsewhere(title: string, content: Piece): Piece {
  if (content === nothing) return nothing;
  return html`<details class="small">
    <summary>${title}</summary>
    <div class="stack">${content}</div>
  </details>`;
}

function withoutWallet(choice: Choice, kit: Kit): TemplateResult {
  const { words } = kit;
  if (isPhone() && choice.links.length > 0)
    return html`<p class="soft">${words.noWalletPhone}</p>
      ${appLinks(choice, kit)}`;
  return html`<p class="soft">${words.noWalletDesk}</p>
    ${sources(kit)} ${elsewhere(words.onPhone, onPhone(choice, kit))}`;
}

function sources({ words }: Kit): TemplateResult {
  return html`<ul class="wallets">
    ${SOURCES.map(
      ([name, url]) =>
        html`<li>
          <a class="button" href=${url} target="_blank" rel="noopener noreferrer">
            ${words.getWallet(name)}<span class="end" aria-hidden="true">↗</span>
          </a>
        </li>`,
    )}
  </ul>`;
}

function appLinks({ links }: Choice, kit: Kit): Piece {
  if (links.length === 0) return nothing;
  const { words } = kit;
  // A link that no app takes does nothing.
  return html`<ul class="wallets">
      ${links.map(({ name, url }) => html`<li><a class="button" href=${url}>${words.openIn(name)}</a></li>`)}
    </ul>
    ${elsewhere(words.noneYet, sources(kit))}`;
}

function onPhone({ qr }: Choice, kit: Kit): Piece {
  if (qr === '') return nothing;
  const { words, change } = kit;
  return html`<p class="soft">${words.scan}</p>
    ${qrCode(qr, words.qrName, () => change({}))} ${copyView(qr, words.copy, words.copied, kit)}`;
}

/** The connected wallet with its accounts, and a way to another one. */
export function walletRow(
  { wallet, accounts, chooseAccount, chooseWallet }: Connected,
  { words }: Kit,
  change: string | null = null,
): TemplateResult {
  return html`<div class="wallet row">
    ${iconView(wallet.icon)}
    <div class="grow">
      <div>${wallet.name}</div>
      ${
        accounts.length < 2
          ? html`<div class="soft mono" title=${wallet.address}>${shortened(wallet.address)}</div>`
          : html`<select
              aria-label=${words.account}
              @change=${({ target }: Event) => {
                if (target instanceof HTMLSelectElement) chooseAccount(target.value);
              }}
            >
              ${accounts.map(
                (address) =>
                  html`<option value=${address} ?selected=${address === wallet.address}>
                    ${shortened(address)}
                  </option>`,
              )}
            </select>`
      }
    </div>
    <button
      type="button"
      class="plain"
      aria-label=${change ?? `${words.change}: ${words.wallet}`}
      @click=${chooseWallet}
    >
      ${change ?? words.change}
    </button>
  </div>`;
}
