import type { TermsFact } from '@subrail/core/schemas';

/** A line of the terms that changed: null before for a new line, and null after for one that is gone. */
export interface TermsChange {
  readonly name: TermsFact['name'];
  readonly label: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** The facts that are new in every text, and say nothing of the agreement. */
const PASSING: ReadonlySet<string> = new Set(['nonce', 'expires']);

/** The lines in which two texts differ, but for those that differ in every text. */
export function changesOf(before: readonly TermsFact[], after: readonly TermsFact[]): readonly TermsChange[] {
  /** The lines by their name and label, and the count of those before that have the same. */
  const lined = (facts: readonly TermsFact[]) =>
    new Map(
      facts
        .filter(({ name }) => !PASSING.has(name))
        .map((fact, index, all) => {
          const { name, label } = fact;
          const same = all.slice(0, index).filter((one) => one.name === name && one.label === label);
          return [`${name} ${label} ${same.length}`, fact] as const;
        }),
    );
  const [old, now] = [lined(before), lined(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((line) => {
    const [was, is] = [old.get(line), now.get(line)];
    const fact = is ?? was;
    if (fact === undefined || was?.value === is?.value) return [];
    const { name, label } = fact;
    return [{ name, label, before: was?.value ?? null, after: is?.value ?? null }];
  });
}
