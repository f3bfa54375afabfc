/** Gives the page the colour of its project, on which text is black or white; null gives it its own. */
export function wear(accent: string | null): void {
  const { style } = document.documentElement;
  const channels = /^#[0-9a-f]{6}$/.test(accent ?? '')
    ? [1, 3, 5].map((at) => Number.parseInt((accent ?? '').slice(at, at + 2), 16) / 255)
    : null;
  if (channels === null || accent === null) {
    for (const name of ['--fill', '--fill-ink']) style.removeProperty(name);
    return;
  }
  const [red = 0, green = 0, blue = 0] = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  // Above this luminance black is read better than white.
  const isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
  style.setProperty('--fill', accent);
  style.setProperty('--fill-ink', isLight ? '#000000' : '#ffffff');
}
