import type { Formats } from '../formats.js';
import type { ChainName } from '../wallets.js';
import type { Way } from '../ways.js';
import type { ElementLanguage, Words } from './words.js';

/** The input of a person that no machine knows. */
export interface PageInput {
  /** The text that was copied last. */
  readonly copied: string;
  readonly email: string;
  /** Whether the email was written in a way that no address has. */
  readonly isEmailWrong: boolean;
}

/** The things that every view needs besides the state that it shows. */
export interface Kit {
  readonly language: ElementLanguage;
  readonly words: Words;
  readonly formats: Formats;
  /** The level of the first heading. */
  readonly level: number;
  /** Where the customer's subscriptions are shown; null where the page does not say. */
  readonly portal: Way | null;
  /** The address of the app's log-in, for a checkout in a portal; null where the page does not say. */
  readonly login: string | null;
  /** The name of the service, for a portal without a session; null where the page does not say. */
  readonly brand: string | null;
  /** The chain; null where the page does not say. */
  readonly chain: ChainName | null;
  readonly input: PageInput;
  readonly change: (input: Partial<PageInput>) => void;
}
