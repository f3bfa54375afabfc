import { ServiceError } from '../../contract/errors.js';
import type { Plan, Project } from '../../records/index.js';
import { longestTerms, MOST_TERMS_BYTES } from '../../rules/terms.js';
import type { Service } from '../../service.js';

/** Refuses names and addresses with which the terms of a plan would be too long to sign (terms#terms-fit-hardware-wallets). */
export function requireShortTerms({ settings }: Service, project: Project, plan: Plan): void {
  const excess = longestTerms({ plan, project, settings }) - MOST_TERMS_BYTES;
  if (excess <= 0) return;
  throw new ServiceError('invalid_request', {
    sentences: [
      `The terms of the plan "${plan.name}" would be ${excess} bytes too long for hardware wallets, which sign at most ${MOST_TERMS_BYTES}: shorten the name or the website of the plan, the name or the cancel_url of the project, or the name or the address of the service.`,
    ],
  });
}
