import { css } from 'lit';

/** The style of text: facts, sums, notices, waits and payments. */
export const contentStyle = css`
  summary {
    width: fit-content;
    padding: 0.25rem 0;
    border-radius: 4px;
    color: var(--link);
    cursor: pointer;
  }

  details[open] > summary {
    margin-bottom: 0.5rem;
  }

  details + details {
    margin-top: -0.6rem;
  }

  dd code {
    font-size: 0.85em;
    color: var(--soft);
  }

  code,
  .mono,
  pre {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
    font-size: 0.92em;
  }

  pre {
    padding: 0.8rem 0.9rem;
    border-radius: calc(var(--radius) * 0.6);
    background: var(--quiet);
    font-size: 0.8rem;
    white-space: pre-wrap;
  }

  dl {
    display: grid;
    gap: 0.55rem;
  }

  dl:not(:has(div)) {
    display: none;
  }

  dl > div {
    display: grid;
    grid-template-columns: minmax(6.5rem, 30%) 1fr;
    gap: 0.1rem 1rem;
  }

  dt {
    color: var(--soft);
  }

  .rule {
    padding-top: 1.1rem;
    border-top: 1px solid var(--line);
  }

  .rule[open]:not(:last-child) {
    padding-bottom: 0.6rem;
  }

  .notice {
    display: grid;
    gap: 0.35rem;
    padding: 0.8rem 1rem;
    border-radius: calc(var(--radius) * 0.75);
    background: var(--warn-ground);
    color: var(--warn);
  }

  .notice .actions {
    margin-top: 0.25rem;
  }

  .notice.plain {
    background: var(--quiet);
    color: var(--ink);
  }

  .notice.bad {
    background: var(--bad-ground);
    color: var(--bad);
  }

  .notice.good {
    background: var(--good-ground);
    color: var(--good);
  }

  .notice :is(a, summary) {
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
    border-top-color: var(--link);
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

  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.3rem 1rem;
    color: var(--soft);
    font-size: 0.875rem;
  }

  .foot :is(a, button) {
    color: inherit;
    font-size: inherit;
  }

  .payments li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.1rem 1rem;
    align-items: baseline;
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

  .row.sum {
    align-items: baseline;
    font-weight: 650;
    text-align: end;
  }

  .sum > :last-child {
    margin-inline-start: auto;
  }

  .sum small {
    font-weight: 400;
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
`;
