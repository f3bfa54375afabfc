import type { Formats } from './formats.js';
import type { ElementLanguage, Words } from './words.js';

/** What a person did on the page that no machine knows. */
export interface PageInput {
  readonly copied: boolean;
  readonly email: string;
  /** Whether the email was written in a way that no address has. */
  readonly isEmailWrong: boolean;
}

/** What every view needs besides the state that it shows. */
export interface Kit {
  readonly language: ElementLanguage;
  readonly words: Words;
  readonly formats: Formats;
  /** The level of the first heading. */
  readonly level: number;
  /** Where the customer's subscriptions are shown; null where the page does not say. */
  readonly portal: string | null;
  readonly input: PageInput;
  readonly change: (input: Partial<PageInput>) => void;
  /** Begins anew, for a customer who has logged in meanwhile. */
  readonly restart: () => void;
}
