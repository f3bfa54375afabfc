/** The texts of a layout by their places, and the fillings of each part, one for each repetition of it. */
export interface Filling {
  readonly [place: string]: string | readonly Filling[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Fills a layout: `{{place}}` becomes an escaped text, and `{{#part}}…{{/part}}` is repeated for each filling
 * of that part. A text is never read as a part of the layout. Throws for a place that is not filled.
 */
export function fill(layout: string, filling: Filling): string {
  return layout.replace(
    /\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}|\{\{(\w+)\}\}/gs,
    (_, part: string | undefined, inner: string, place: string) => {
      const value = filling[part ?? place];
      if (part === undefined && typeof value === 'string')
        return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
      if (part !== undefined && typeof value === 'object')
        return value.map((each) => fill(inner, each)).join('');
      throw new TypeError(`The place ${part ?? place} of a mail's layout is not filled.`);
    },
  );
}
