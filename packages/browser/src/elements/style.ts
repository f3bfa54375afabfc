import { css } from 'lit';
import { palette } from './palette.js';

const look = css`
  :host {
    --radius: var(--subrail-radius, 14px);
    display: block;
    background: var(--subrail-ground, transparent);
    color: var(--ink);
    font-family: var(
      --subrail-font,
      system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Helvetica Neue',
      sans-serif
    );
    font-size: 1rem;
    line-height: 1.5;
    overflow-wrap: anywhere;
    -webkit-text-size-adjust: 100%;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  p,
  ul,
  ol,
  dl,
  dd,
  fieldset,
  pre {
    margin: 0;
    padding: 0;
    border: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  .shell {
    display: grid;
    gap: 1.5rem;
    width: 100%;
    max-width: 29rem;
    margin-inline: auto;
  }

  .shell.wide {
    max-width: 38rem;
  }

  .stack {
    display: grid;
    gap: 1rem;
  }

  .tight {
    display: grid;
    gap: 0.35rem;
  }

  .card {
    display: grid;
    gap: 1.1rem;
    padding: clamp(1.1rem, 5vw, 1.6rem);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow:
      0 1px 2px rgb(16 24 40 / 4%),
      0 8px 24px rgb(16 24 40 / 5%);
  }

  .brand {
    display: flex;
    align-items: center;
    gap: 0.7rem;
    font-weight: 600;
  }

  .avatar {
    display: grid;
    flex: none;
    place-items: center;
    width: 2.25rem;
    height: 2.25rem;
    border-radius: 0.6rem;
    background: var(--accent);
    color: var(--accent-ink);
    font-size: 1.1rem;
    font-weight: 700;
  }

  .brand .tag {
    margin-inline-start: auto;
  }

  .tag {
    flex: none;
    padding: 0.1rem 0.65rem;
    border-radius: 999px;
    background: color-mix(in srgb, var(--soft) 14%, transparent);
    color: var(--soft);
    font-size: 0.8125rem;
    font-weight: 600;
    white-space: nowrap;
  }

  .tag.good {
    background: var(--good-ground);
    color: var(--good);
  }

  .tag.warn {
    background: var(--warn-ground);
    color: var(--warn);
  }

  .title {
    font-size: 1.05rem;
    font-weight: 600;
    color: var(--soft);
  }

  .title.large {
    font-size: clamp(1.5rem, 6vw, 1.9rem);
    line-height: 1.2;
    letter-spacing: -0.015em;
    color: var(--ink);
  }

  .price {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.6rem;
    font-size: clamp(2rem, 9vw, 2.6rem);
    font-weight: 700;
    letter-spacing: -0.025em;
    line-height: 1.15;
  }

  .price small {
    color: var(--soft);
    font-size: 1rem;
    font-weight: 400;
    letter-spacing: 0;
  }

  .step {
    font-size: 1.15rem;
    font-weight: 650;
    line-height: 1.3;
  }

  .step:focus,
  .title:focus {
    outline: none;
  }

  .soft {
    color: var(--soft);
  }

  .small {
    font-size: 0.9rem;
  }

  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }

  summary {
    width: fit-content;
    padding: 0.25rem 0;
    border-radius: 4px;
    color: var(--accent);
    cursor: pointer;
  }

  details[open] > summary {
    margin-bottom: 0.5rem;
  }

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
    margin-inline: -0.3rem;
    padding: 0.4rem 0.3rem;
    border-color: transparent;
    background: none;
    color: var(--accent);
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
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  .step:focus-visible,
  .title:focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 4px;
    border-radius: 4px;
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

  input[type='radio'] {
    flex: none;
    width: 1.2rem;
    min-height: 0;
    height: 1.2rem;
    margin: 0;
    accent-color: var(--accent);
  }

  .wallets {
    display: grid;
    gap: 0.6rem;
  }

  .wallets button,
  .wallets a.button {
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

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.8rem;
  }

  .row.apart {
    justify-content: space-between;
  }

  .row > .grow {
    flex: 1 1 5rem;
    min-width: 0;
  }

  .wallet {
    padding: 0.6rem 0.85rem;
    border-radius: calc(var(--radius) * 0.75);
    background: var(--quiet);
  }

  .wallet .soft {
    font-size: 0.9rem;
  }

  dd code {
    font-size: 0.85em;
    color: var(--soft);
  }

  code,
  .mono {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
    font-size: 0.92em;
  }

  pre {
    padding: 0.8rem 0.9rem;
    border-radius: calc(var(--radius) * 0.6);
    background: var(--quiet);
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
    font-size: 0.8rem;
    white-space: pre-wrap;
  }

  dl {
    display: grid;
    gap: 0.55rem;
  }

  dl > div {
    display: grid;
    grid-template-columns: minmax(6.5rem, 36%) 1fr;
    gap: 0.1rem 1rem;
  }

  dt {
    color: var(--soft);
  }

  dl.money > div {
    grid-template-columns: minmax(5.5rem, 1fr) auto;
    align-items: baseline;
  }

  dl.money dt > .small {
    display: block;
  }

  dl.money dd {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  dl.money .sum {
    padding-top: 0.6rem;
    border-top: 1px solid var(--line);
    font-weight: 650;
  }

  dl.money .sum dt {
    color: inherit;
  }

  .rule {
    padding-top: 1.1rem;
    border-top: 1px solid var(--line);
  }

  .notice {
    display: grid;
    gap: 0.35rem;
    padding: 0.8rem 1rem;
    border-radius: calc(var(--radius) * 0.75);
    background: var(--warn-ground);
    color: var(--warn);
  }

  .notice.bad {
    background: var(--bad-ground);
    color: var(--bad);
  }

  .notice.good {
    background: var(--good-ground);
    color: var(--good);
  }

  .notice a,
  .notice button.plain,
  .notice summary {
    color: inherit;
  }

  .busy {
    display: flex;
    align-items: center;
    gap: 0.85rem;
  }

  .spinner {
    flex: none;
    width: 1.35rem;
    height: 1.35rem;
    border: 3px solid var(--line);
    border-top-color: var(--accent);
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }

  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }

  .steps {
    display: flex;
    gap: 0.4rem;
  }

  .steps li {
    flex: 1;
    padding-top: 0.5rem;
    border-top: 3px solid var(--line);
    color: var(--soft);
    font-size: 0.85rem;
  }

  .steps li[aria-current],
  .steps li.done {
    border-color: var(--accent);
  }

  .steps li[aria-current] {
    color: var(--ink);
    font-weight: 600;
  }

  .mark {
    display: grid;
    place-items: center;
    width: 3.25rem;
    height: 3.25rem;
    border-radius: 50%;
    background: var(--good-ground);
    color: var(--good);
  }

  .mark svg {
    width: 1.6rem;
    height: 1.6rem;
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
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }

  .choice b {
    font-weight: 600;
  }

  .choice .end {
    margin-inline-start: auto;
    text-align: end;
  }

  legend {
    margin-bottom: 0.5rem;
    padding: 0;
    font-weight: 600;
  }

  .qr {
    display: block;
    width: 11rem;
    max-width: 100%;
    padding: 0.6rem;
    border-radius: calc(var(--radius) * 0.6);
    background: #fff;
    color: #000;
  }

  .qr svg {
    display: block;
  }

  .foot {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.3rem 1rem;
    color: var(--soft);
    font-size: 0.875rem;
  }

  .foot a {
    color: inherit;
  }

  .payments li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.1rem 1rem;
    padding: 0.6rem 0;
    border-top: 1px solid var(--line);
  }

  .payments li > :nth-child(2n) {
    text-align: end;
  }

  .payments .whole {
    grid-column: 1 / -1;
    text-align: start;
  }

  details .sum {
    margin-bottom: 0.6rem;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
  }

  .actions .primary {
    width: auto;
    min-height: 2.9rem;
    font-size: 1rem;
  }

  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (max-width: 26rem) {
    dl:not(.money) > div {
      grid-template-columns: 1fr;
    }

    .actions button {
      flex: 1 1 100%;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation: none;
      border-color: var(--accent);
    }

    button,
    a.button {
      transition: none;
    }
  }

  @media (forced-colors: active) {
    .card,
    .notice,
    .wallet,
    .avatar {
      border: 1px solid CanvasText;
    }
  }
`;

/** The style of both elements. It is adopted by their shadow roots, so a strict policy allows it. */
export const style = [palette, look];
