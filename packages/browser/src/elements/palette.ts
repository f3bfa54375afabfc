import { css, unsafeCSS } from 'lit';

/**
 * Each colour in light and in dark. A page replaces one by setting `--subrail-<name>`; those of `lookOf` are
 * the project's.
 */
const COLORS = {
  surface: ['#ffffff', '#181b21'],
  line: ['#dfe3e8', '#323845'],
  ink: ['#14171c', '#eef1f5'],
  soft: ['#55606e', '#a9b3c1'],
  quiet: ['#eff1f5', '#22262e'],
  accent: ['var(--project-accent, #1f55c9)', 'var(--project-accent, #8fb4ff)'],
  'accent-ink': ['var(--project-ink, #ffffff)', 'var(--project-ink, #0b1730)'],
  link: [
    'var(--subrail-accent, var(--project-link, #1f55c9))',
    'var(--subrail-accent, var(--project-link-dark, #8fb4ff))',
  ],
  good: ['#0f6b3c', '#8fdcb2'],
  'good-ground': ['#e3f5ea', '#14332a'],
  warn: ['#7a4b00', '#f5c978'],
  'warn-ground': ['#fdf1d9', '#35290f'],
  bad: ['#a8231c', '#ffa39b'],
  'bad-ground': ['#fdeceb', '#3a1a18'],
} as const;

const declare = (color: (light: string, dark: string) => string) =>
  unsafeCSS(
    Object.entries(COLORS)
      .map(([name, [light, dark]]) => `--${name}: var(--subrail-${name}, ${color(light, dark)});`)
      .join('\n'),
  );

/**
 * The colours of an element, by the `color-scheme` of the place where it stands. A browser that cannot tell
 * that follows its person's preference.
 */
export const palette = css`
  :host {
    ${declare((light) => light)}
  }

  @media (prefers-color-scheme: dark) {
    :host {
      ${declare((_, dark) => dark)}
    }
  }

  @supports (color: light-dark(#000, #fff)) {
    :host {
      ${declare((light, dark) => `light-dark(${light}, ${dark})`)}
    }
  }
`;
