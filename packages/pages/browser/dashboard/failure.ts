import { html, type TemplateResult } from 'lit';
import { CallError } from './api.js';
import { words } from './words.js';

const REFUSED: ReadonlySet<string> = new Set(['invalid_request', 'plan_not_found', 'not_found']);

/** The refusal of a search that the page shows with its form. Throws every other failure. */
export function refusalOf(error: unknown): CallError {
  if (error instanceof CallError && REFUSED.has(error.code)) return error;
  throw error;
}

/** What a call was refused with, as a person reads it. */
export function failureText(error: unknown): string {
  if (!(error instanceof CallError)) return error instanceof Error ? error.message : String(error);
  const { code, sentences, retryAfter } = error;
  if (code === 'rate_limited') return words.failures.rate_limited(retryAfter);
  if (sentences.length > 0) return sentences.join(' ');
  if (code === 'no_answer' || code === 'unavailable') return words.failures[code];
  return words.failures.unknown;
}

/** Why a search was refused. */
export const refusalView = (refusal: CallError): TemplateResult =>
  html`<p role="alert" class="notice bad">${failureText(refusal)}</p>`;
