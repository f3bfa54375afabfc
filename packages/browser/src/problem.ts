import type { Missing as MissingWire } from '@subrail/core/schemas';
import { type Language, type NextStep, type ProblemCode, PROBLEMS } from './sentences.js';

/**
 * The money that a wallet lacks: the amount to add, and the amount that the wallet has to hold then, both in
 * the smallest unit.
 */
export type Missing = Readonly<MissingWire>;

/** Something that went wrong, with what a person can do about it. */
export interface Problem {
  readonly code: ProblemCode;
  /** What happened and what to do, in the language of the page. */
  readonly sentence: string;
  /** The words of the service or the wallet itself, in English; null without. */
  readonly detail: string | null;
  /** The money that the wallet lacks; null for any other problem. */
  readonly missing: Missing | null;
  readonly next: NextStep;
  /** The words on the button of the next step, in the language of the page. */
  readonly label: string;
  /** After how many seconds the next step can succeed; null without a limit. */
  readonly retryAfter: number | null;
}

/** The names that a sentence may have in braces. */
interface Names {
  readonly wallet?: string;
  readonly network?: string;
  readonly account?: string;
}

/** The facts of a problem besides its code. */
interface Facts extends Partial<Pick<Problem, 'detail' | 'missing' | 'retryAfter'>> {
  readonly names?: Names;
  /** Whether the same call may succeed later. */
  readonly isRetryable?: boolean;
}

/** A problem on its way to the page, of the service, a wallet or the page itself. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly code: ProblemCode,
    readonly facts: Facts = {},
  ) {
    super(facts.detail ?? code);
  }
}

/** Makes the problem of a code. */
export function problemOf(
  { problems, steps }: Pick<Language, 'problems' | 'steps'>,
  code: ProblemCode,
  facts: Facts = {},
): Problem {
  const { detail = null, missing = null, retryAfter = null } = facts;
  const names: Readonly<Record<string, string | undefined>> = {
    ...facts.names,
    seconds: String(retryAfter ?? 60),
  };
  const [next] = PROBLEMS[code];
  return {
    code,
    sentence: problems[code].replace(/\{(\w+)\}/g, (text, name: string) => names[name] ?? text),
    detail,
    missing,
    next,
    label: steps[next],
    retryAfter,
  };
}

/** Makes the problem of whatever was thrown. */
export function problemOfError(language: Pick<Language, 'problems' | 'steps'>, error: unknown): Problem {
  if (error instanceof ProblemError) return problemOf(language, error.code, error.facts);
  return problemOf(language, 'page_failed', {
    detail: error instanceof Error ? error.message : String(error),
  });
}

/** Whether what went wrong can be tried again on this page. */
export function isRepeated({ next }: Problem): boolean {
  return next === 'again' || next === 'check_again' || next === 'wait';
}

/** Whether a name is the code of a problem, and not one that is newer than this page. */
export function isProblemCode(name: unknown): name is ProblemCode {
  return typeof name === 'string' && Object.hasOwn(PROBLEMS, name);
}
