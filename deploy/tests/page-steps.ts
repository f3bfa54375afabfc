/**
 * A block of a page that is to be run, and the lines that have to be among what it prints, in their order.
 */
export interface Step {
  readonly script: string;
  readonly printed: readonly string[];
}

/** The blocks that the page marks as `sh run`, each with the `text` block that follows it, if one does. */
export function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/^```sh run\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)].map(
    ([, script = '', printed = '']) => ({
      script,
      printed: printed.split('\n').filter((line) => line !== ''),
    }),
  );
}

/** Whether a line is as the page shows it: `…` stands for anything. */
function isAsShown(line: string, shown: string): boolean {
  const literal = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '.*')}$`).test(line);
}

/** The lines shown that are not among those printed, or not in this order. */
export function missingLines(printed: readonly string[], shown: readonly string[]): readonly string[] {
  let from = 0;
  return shown.filter((line) => {
    const at = printed.findIndex((candidate, index) => index >= from && isAsShown(candidate, line));
    if (at !== -1) from = at + 1;
    return at === -1;
  });
}
