const RED = 0.2126;
const GREEN = 0.7152;
const BLUE = 0.0722;

/** The luminance that black and white are read on equally well: (1.05 × 0.05)^½ − 0.05. */
const MIDDLE = 0.1791;

/** Black or white, whichever is read better on a colour such as `#0a7d5a` (portal#look-of-a-project). */
export function inkOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return RED * red + GREEN * green + BLUE * blue > MIDDLE ? '#000000' : '#ffffff';
}
