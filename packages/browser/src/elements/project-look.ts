import type { CustomerSession } from '@subrail/core/schemas';

type Channels = readonly [red: number, green: number, blue: number];

const BLACK: Channels = [0, 0, 0];
const WHITE: Channels = [255, 255, 255];

/** The grounds on which text is read worst, in light and in dark: `quiet` of `palette`. */
const GROUNDS: Readonly<Record<'light' | 'dark', Channels>> = {
  light: [239, 241, 245],
  dark: [34, 38, 46],
};

/** The least contrast of text (WCAG 2, AA). */
const READABLE = 4.5;

const NO_COLOR = {
  '--project-accent': '',
  '--project-ink': '',
  '--project-link': '',
  '--project-link-dark': '',
};

/** The custom properties that give an element the colour of its project; empty texts remove them. */
export function lookOf({ accent }: CustomerSession['project']): typeof NO_COLOR {
  if (accent === null || !/^#[0-9a-f]{6}$/.test(accent)) return NO_COLOR;
  const color = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16)) as never as Channels;
  const ink = contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
  return {
    '--project-accent': accent,
    '--project-ink': hex(ink),
    '--project-link': hex(readable(color, GROUNDS.light, BLACK)),
    '--project-link-dark': hex(readable(color, GROUNDS.dark, WHITE)),
  };
}

/** A colour, mixed with another as much as it takes to be read on a ground. */
function readable(color: Channels, ground: Channels, other: Channels): Channels {
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = color.map((one, at) =>
      Math.round(one + ((other[at] ?? 0) - one) * part),
    ) as never as Channels;
    if (contrast(mixed, ground) >= READABLE) return mixed;
  }
  return other;
}

function contrast(one: Channels, other: Channels): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Channels): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as never as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function hex(color: Channels): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
