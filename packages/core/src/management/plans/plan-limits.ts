import { ServiceError } from '../../contract/errors.js';
import { type Plan, periodMs, type Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import { longestTerms, MOST_TERMS_BYTES } from '../../rules/terms.js';
import type { Service } from '../../service.js';

const FIVE_MINUTES_MS = 5 * 60_000;
const HUNDRED_YEARS_MS = 100 * 365.25 * 24 * 3_600_000;

/**
 * The end of a plan, in whole seconds as on chain (plans#end-date-of-a-plan). Throws `end_date_too_soon` and
 * `end_date_too_far`.
 */
export function endDateOf({ clock }: Service, text: string, periodHours: number): Date {
  const endsAt = new Date(Math.floor(Date.parse(text) / 1000) * 1000);
  const now = clock.now();
  if (endsAt < plus(now, periodMs({ periodHours }) + FIVE_MINUTES_MS))
    throw new ServiceError('end_date_too_soon');
  if (endsAt > plus(now, HUNDRED_YEARS_MS)) throw new ServiceError('end_date_too_far');
  return endsAt;
}

/** Refuses names and addresses that make terms too long to sign (terms#terms-fit-hardware-wallets). */
export function requireShortTerms({ settings }: Service, project: Project, plan: Plan): void {
  const excess = longestTerms({ plan, project, settings }) - MOST_TERMS_BYTES;
  if (excess <= 0) return;
  throw new ServiceError('invalid_request', {
    sentences: [
      `The terms of the plan "${plan.name}" would be ${excess} bytes too long for hardware wallets, which sign at most ${MOST_TERMS_BYTES}: shorten the name or the website of the plan, the name or the cancel_url of the project, or the name or the address of the service.`,
    ],
  });
}
