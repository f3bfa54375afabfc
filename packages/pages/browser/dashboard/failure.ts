import { CallError } from './api.js';
import { words } from './words.js';

/** What a call was refused with, as a person reads it. */
export function failureText(error: unknown): string {
  if (!(error instanceof CallError)) return error instanceof Error ? error.message : String(error);
  const { code, sentences, retryAfter } = error;
  if (code === 'rate_limited') return words.failures.rate_limited(retryAfter);
  if (sentences.length > 0) return sentences.join(' ');
  if (code === 'no_answer' || code === 'unavailable') return words.failures[code];
  return words.failures.unknown;
}
