import { css } from 'lit';

/** A receipt on paper: black on white, without buttons, links and frames. */
export const printStyle = css`
  .receipt dl > div {
    padding-bottom: 0.45rem;
    border-bottom: 1px solid var(--line);
  }

  @media print {
    :host {
      --ink: #000;
      --soft: #000;
      --surface: #fff;
      --line: #999;
      color-scheme: light;
      background: #fff;
      font-size: 10.5pt;
    }

    .shell.wide {
      max-width: none;
    }

    .card.receipt {
      padding: 0;
      border: 0;
      box-shadow: none;
      break-inside: avoid;
    }

    .receipt .step {
      outline: none;
      font-size: 15pt;
    }

    .unprinted {
      display: none;
    }
  }
`;
