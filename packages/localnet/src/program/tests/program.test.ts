// Heavy: each scenario creates its own chains, and some create dozens.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ChainPrograms, OURS, deployed } from './test-chain.js';
import { authorityScenarios } from './scenarios/authority.js';
import { planScenarios } from './scenarios/plan.js';
import { cancelScenarios } from './scenarios/cancel.js';
import { closeScenarios } from './scenarios/close.js';
import { invocationScenarios } from './scenarios/invocation.js';
import { pullScenarios } from './scenarios/pull.js';
import { tokenScenarios } from './scenarios/tokens.js';
import { authorityCheckOrderScenarios } from './scenarios/check-order-authority.js';
import { planCheckOrderScenarios } from './scenarios/check-order-plan.js';
import { subscriptionCheckOrderScenarios } from './scenarios/check-order-subscription.js';
import { malformedAccountScenarios } from './scenarios/malformed-accounts.js';
import { subscribeScenarios } from './scenarios/subscribe.js';
import { type Scenario, Fixtures } from './fixtures.js';

// The scenarios of program#program-scenarios, on this package's program. When SUBSCRIPTIONS_PROGRAM_ELF names
// the ELF of the deployed program, it plays them too: both must have the same result and leave the same bytes
// after every transaction.

const groups: readonly (readonly [string, readonly Scenario[]])[] = [
  ['init, close and revoke the authority', authorityScenarios],
  ['plans', planScenarios],
  ['subscribe', subscribeScenarios],
  ['pull', pullScenarios],
  ['tokens', tokenScenarios],
  ['cancel and resume', cancelScenarios],
  ['close', closeScenarios],
  ['malformed accounts', malformedAccountScenarios],
  [
    'the first check that fails decides the error',
    [...authorityCheckOrderScenarios, ...planCheckOrderScenarios, ...subscriptionCheckOrderScenarios],
  ],
  ['invocation', invocationScenarios],
];

function play(scenario: Scenario, programs: ChainPrograms) {
  const fixtures = new Fixtures(programs);
  scenario.play(fixtures);
  return fixtures.worlds.map((world) => world.chain.steps);
}

describe('the Subscriptions program', () => {
  for (const [group, scenarios] of groups) {
    describe(group, () => {
      for (const scenario of scenarios) it(scenario.name, () => void play(scenario, OURS));
    });
  }
});

const elf = process.env['SUBSCRIPTIONS_PROGRAM_ELF'];
if (elf !== undefined) {
  const real = deployed(readFileSync(elf));
  // program#program-version
  describe('the deployed program leaves the same bytes', () => {
    for (const [group, scenarios] of groups) {
      describe(group, () => {
        for (const scenario of scenarios) {
          it(scenario.name, () => expect(play(scenario, real)).toEqual(play(scenario, OURS)));
        }
      });
    }
  });
}
