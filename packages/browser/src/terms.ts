import type { TermsFact } from '@subrail/core/schemas';

/** A line of the terms that changed: null before for a new line, and null after for one that is gone. */
export interface TermsChange {
  readonly name: TermsFact['name'];
  readonly label: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** What is new in every text, and says nothing of what is agreed. */
const PASSING: ReadonlySet<string> = new Set(['nonce', 'expires']);

/** The lines in which two texts differ, but for those that differ in every text. */
export function changesOf(before: readonly TermsFact[], after: readonly TermsFact[]): readonly TermsChange[] {
  const key = ({ name, label }: TermsFact) => `${name} ${label}`;
  const counted = (facts: readonly TermsFact[]) => {
    const seen = new Map<string, number>();
    const entries = facts
      .filter(({ name }) => !PASSING.has(name))
      .map((fact) => {
        const count = seen.get(key(fact)) ?? 0;
        seen.set(key(fact), count + 1);
        return [`${key(fact)} ${count}`, fact] as const;
      });
    return new Map(entries);
  };
  const [old, now] = [counted(before), counted(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((line) => {
    const [was, is] = [old.get(line), now.get(line)];
    const fact = is ?? was;
    if (fact === undefined || was?.value === is?.value) return [];
    const { name, label } = fact;
    return [{ name, label, before: was?.value ?? null, after: is?.value ?? null }];
  });
}
