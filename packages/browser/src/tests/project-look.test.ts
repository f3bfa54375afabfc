import { describe, expect, it } from 'vitest';
import { lookOf } from '../elements/project-look.js';

const of = (accent: string | null) => lookOf({ name: 'Acme', logo: null, accent });

function contrast(one: string, other: string): number {
  const [light, dark] = [one, other].map(luminance).sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the look of a project', () => {
  // portal#look-of-a-project
  it.each(['#0a7d5a', '#ffcc00', '#ffffff', '#000000', '#777777', '#ff0000', '#1f55c9', '#ff69b4'])(
    'has %s on buttons as it is, and everywhere readable in light and in dark',
    (accent) => {
      const look = of(accent);
      expect(look['--project-accent']).toBe(accent);
      expect(contrast(accent, look['--project-ink'])).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['#ffffff', '#eff1f5'])
        expect(contrast(look['--project-link'], ground)).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['#181b21', '#22262e'])
        expect(contrast(look['--project-link-dark'], ground)).toBeGreaterThanOrEqual(4.5);
    },
  );

  // portal#look-of-a-project
  it.each([
    ['#757575', '#ffffff'],
    ['#767676', '#000000'],
  ])('has on %s the ink that is read better, %s', (accent, ink) => {
    expect(of(accent)['--project-ink']).toBe(ink);
  });

  it.each([null, 'red', '#12', '#0a7d5a;}'])('is that of the page for %s', (accent) => {
    expect(Object.values(of(accent))).toEqual(['', '', '', '']);
  });

  it('keeps a colour that is readable as it is', () => {
    expect(of('#0a7d5a')['--project-link']).toBe('#0a7d5a');
  });
});
