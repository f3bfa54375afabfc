import { css } from 'lit';

/** The style of buttons, choices and fields. */
export const controlStyle = css`
  button,
  a.button,
  select,
  input {
    min-height: 2.9rem;
    padding: 0.55rem 1.1rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.75);
    background: var(--surface);
    color: var(--ink);
    font: inherit;
  }

  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.7rem;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      border-color 120ms,
      background-color 120ms;
  }

  button:hover,
  a.button:hover {
    border-color: var(--soft);
  }

  .primary,
  a.button.primary {
    width: 100%;
    min-height: 3.25rem;
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
    font-size: 1.05rem;
  }

  .primary:hover,
  a.button.primary:hover {
    border-color: var(--accent);
    background: color-mix(in srgb, var(--accent) 88%, var(--ink));
  }

  button.plain {
    min-height: 2.75rem;
    margin-inline: calc(-0.3rem - 1px);
    padding: 0.4rem 0.3rem;
    border-color: transparent;
    background: none;
    color: var(--link);
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }

  button.danger {
    color: var(--bad);
  }

  button[aria-disabled='true'] {
    border-style: dashed;
    background: var(--quiet);
    color: var(--soft);
    cursor: not-allowed;
  }

  :focus-visible {
    outline: 3px solid var(--link);
    outline-offset: 2px;
  }

  label,
  .label {
    font-weight: 600;
  }

  input,
  select {
    width: 100%;
    padding-inline: 0.85rem;
    font-weight: 400;
  }

  input[aria-invalid] {
    border-color: var(--bad);
  }

  .wrong {
    color: var(--bad);
  }

  input[type='radio'] {
    flex: none;
    width: 1.2rem;
    min-height: 0;
    height: 1.2rem;
    margin: 0;
    accent-color: var(--link);
  }

  .wallets {
    display: grid;
    gap: 0.6rem;
  }

  .wallets :is(button, a) {
    width: 100%;
    min-height: 3.4rem;
    justify-content: flex-start;
  }

  .wallets .end {
    margin-inline-start: auto;
    color: var(--soft);
    font-weight: 400;
  }

  .icon {
    flex: none;
    width: 1.85rem;
    height: 1.85rem;
    border-radius: 0.5rem;
  }

  .wallet {
    padding: 0.6rem 0.85rem;
    border-radius: calc(var(--radius) * 0.75);
    background: var(--quiet);
  }

  header .wallet {
    background: var(--surface);
    box-shadow: 0 0 0 1px var(--line);
  }

  .wallet .soft {
    font-size: 0.9rem;
  }

  code.wallet {
    font-size: 0.84rem;
  }

  .choice {
    display: flex;
    align-items: center;
    gap: 0.8rem;
    padding: 0.8rem 1rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.75);
    background: var(--surface);
    font-weight: 400;
    cursor: pointer;
  }

  .choice:has(:checked) {
    border-color: var(--link);
    box-shadow: inset 0 0 0 1px var(--link);
  }

  legend {
    margin-bottom: 0.6rem;
    padding: 0;
    font-size: 1.15rem;
    font-weight: 650;
    line-height: 1.3;
  }

  dialog {
    max-width: min(27rem, calc(100% - 2rem));
    color: inherit;
  }

  dialog:not([open]) {
    display: none;
  }

  dialog::backdrop {
    background: rgb(10 14 22 / 55%);
  }

  .qr {
    display: block;
    width: 11rem;
    max-width: 100%;
    padding: 0.6rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.6);
    background: #fff;
    color: #000;
  }

  .qr svg {
    display: block;
  }
`;
