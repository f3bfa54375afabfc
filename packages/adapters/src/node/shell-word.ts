/**
 * A text as one word of a shell, for a command that a person copies; without an apostrophe in it also a value
 * in a file of settings.
 *
 * @example
 * const advice = `Run: chmod 600 ${shellWord('/home/ada/my keys/charger.json')}`;
 */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
