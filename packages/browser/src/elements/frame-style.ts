import { css } from 'lit';

/** The page around a step: its place, its headings, what is paid for. */
export const frameStyle = css`
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

  img.avatar {
    width: auto;
    min-width: 2.25rem;
    max-width: 9rem;
    border-radius: 0.35rem;
    background: none;
    object-fit: contain;
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
    color: var(--link);
    text-underline-offset: 0.15em;
  }

  .step:focus-visible,
  .title:focus-visible {
    outline: 3px solid var(--link);
    outline-offset: 4px;
    border-radius: 4px;
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

  .grow {
    flex: 1 1 5rem;
    min-width: 0;
  }

  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
