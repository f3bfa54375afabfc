/** A text as one word of a shell; without an apostrophe in it also a value in a file of settings. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
