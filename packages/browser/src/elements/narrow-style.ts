import { css } from 'lit';

/** Exceptions for little room, less motion, and colours that the browser forces. */
export const narrowStyle = css`
  @media (max-width: 26rem) {
    dl > div {
      grid-template-columns: 1fr;
    }

    .choice .row {
      display: grid;
      gap: 0;
    }

    .actions > * {
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
