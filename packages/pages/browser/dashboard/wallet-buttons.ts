import type { SigningWallet } from '@subrail/browser/wallets';
import { html, nothing, type TemplateResult } from 'lit';
import { chain } from './service.js';
import type * as Wallets from './wallets.js';
import { words } from './words.js';

const texts = words.signing;

/** Loads what finds wallets, which no other page of the dashboard needs. It is beside this script. */
function load(): Promise<typeof Wallets> {
  const own = new URL(import.meta.url);
  return import(new URL(`dashboard-wallets.js${own.search}`, own).href) as Promise<typeof Wallets>;
}

/** Finds the wallets of the browser until it is stopped. `changed` is called when the view is another one. */
export function findWallets(changed: () => void) {
  let wallets: readonly SigningWallet[] | 'looking' | 'failed' = 'looking';
  let stop: () => void = () => undefined;
  let isStopped = false;

  void load()
    .then(({ watchSigningWallets }) => {
      if (isStopped) return;
      const name =
        chain === 'solana:devnet' || chain === 'solana:localnet' ? chain : ('solana:mainnet' as const);
      stop = watchSigningWallets({ chain: name }, (found) => {
        wallets = found;
        changed();
      });
    })
    .catch(() => {
      wallets = 'failed';
      changed();
    });

  return {
    stop() {
      isStopped = true;
      stop();
    },
    /** A button for each wallet, with why one cannot be chosen. */
    view(textOf: (name: string) => string, choose: (wallet: SigningWallet) => void): TemplateResult {
      if (wallets === 'looking') return html`<p role="status">${texts.looking}</p>`;
      if (wallets === 'failed') return html`<p role="alert" class="notice bad">${texts.noScript}</p>`;
      if (wallets.length === 0) return html`<p>${texts.noWallet}</p>`;
      return html`<ul class="wallets">
        ${wallets.map((wallet, index) => {
          const { name, icon, problem } = wallet;
          return html`<li>
            <button
              type="button"
              class=${problem === null ? 'primary' : nothing}
              ?disabled=${problem !== null}
              aria-describedby=${problem === null ? nothing : `why-${index}`}
              @click=${() => choose(wallet)}
            >
              ${icon.startsWith('data:image/') ? html`<img src=${icon} alt="" />` : nothing} ${textOf(name)}
            </button>
            ${problem === null ? nothing : html`<p class="hint" id="why-${index}">${problem.sentence}</p>`}
          </li>`;
        })}
      </ul>`;
    },
  };
}
