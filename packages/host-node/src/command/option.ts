import { UsageError } from './errors.js';

/** An option of a command. Its name is the key under which it is declared, with hyphens for underscores. */
export interface Option<Value> {
  /** Stands for the value in the help; null for a flag. */
  readonly placeholder: string | null;
  /** The description, without a period. */
  readonly about: string;
  readonly required: boolean;
  /** Reads the typed value. Throws a TypeError whose message completes "--name must be". */
  readonly read: (text: string) => Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options: undefined for a missing option. */
export type ValuesOf<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value> ? Value : never;
};

function option<Value>(
  placeholder: string,
  about: string,
  read: (text: string) => Value,
): Option<Value | undefined> {
  return { placeholder, about, required: false, read };
}

/** An option without which the command is refused. */
export function required<Value>(declared: Option<Value>): Option<Exclude<Value, undefined>> {
  return { ...declared, required: true } as Option<Exclude<Value, undefined>>;
}

/** An option without a value. */
export function flag(about: string): Option<true | undefined> {
  return { placeholder: null, about, required: false, read: () => true };
}

export function text(placeholder: string, about: string) {
  return option(placeholder, about, String);
}

/** A text, or `none` to remove the present one. */
export function textOrNone(placeholder: string, about: string) {
  return option(placeholder, `${about}; none removes it`, (value) => (value === 'none' ? null : value));
}

export function whole(placeholder: string, about: string) {
  return option(placeholder, about, readWhole);
}

/** A whole number, or `none` to remove the present one. */
export function wholeOrNone(placeholder: string, about: string) {
  return option(placeholder, `${about}; none removes it`, (value) =>
    value === 'none' ? null : readWhole(value),
  );
}

/** The most letters of words that stand for a value in the help, in place of a placeholder. */
const SHORT_LIST = 24;

/** A word of a list, which the description names when it is long. */
export function oneOf<const Word extends string>(words: readonly Word[], about: string) {
  const isShort = words.join('|').length <= SHORT_LIST;
  const placeholder = isShort ? words.join('|') : 'word';
  return option(placeholder, isShort ? about : `${about}: ${words.join(', ')}`, (value) => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new TypeError(`one of ${words.join(', ')}`);
    return word;
  });
}

/** Several values with commas between them. */
export function list(placeholder: string, about: string) {
  return option(placeholder, about, (value) => value.split(',').map((entry) => entry.trim()));
}

const MINUTES = { m: 1, h: 60, d: 1_440, w: 10_080 } as const;

/** A length of time, such as 30d, in minutes. */
export function duration(placeholder: string, about: string) {
  return option(placeholder, about, (value) => {
    const [, count, unit] = /^(\d+)([mhdw])$/.exec(value) ?? [];
    if (count === undefined || unit === undefined) {
      throw new TypeError('a number with m, h, d or w after it, such as 30d');
    }
    return Number(count) * MINUTES[unit as keyof typeof MINUTES];
  });
}

function readWhole(value: string): number {
  if (!/^\d+$/.test(value)) throw new TypeError('a whole number');
  return Number(value);
}

/** Reads the typed value of an option. @throws UsageError when the value is invalid */
export function readOption({ read }: Option<unknown>, flagName: string, value: string): unknown {
  if (value === '' || value.startsWith('-')) throw new UsageError(`${flagName} needs a value.`);
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${flagName} is "${value}": it must be ${error.message}.`);
  }
}
