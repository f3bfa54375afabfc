import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ChainPrograms, OURS, deployed } from './test-chain.js';
import { authorityScenarios } from './scenarios/authority.js';
import { planScenarios } from './scenarios/plan.js';
import { cancelScenarios } from './scenarios/cancel.js';
import { closeScenarios } from './scenarios/close.js';
import { transportScenarios } from './scenarios/transport.js';
import { pullScenarios } from './scenarios/pull.js';
import { tokenScenarios } from './scenarios/tokens.js';
import { authorityCheckOrderScenarios } from './scenarios/check-order-authority.js';
import { planCheckOrderScenarios } from './scenarios/check-order-plan.js';
import { subscriptionCheckOrderScenarios } from './scenarios/check-order-subscription.js';
import { malformedAccountScenarios } from './scenarios/malformed-accounts.js';
import { subscribeScenarios } from './scenarios/subscribe.js';
import { type Scenario, Fixtures } from './fixtures.js';

// program#program-scenarios, played on our program, and also on the deployed one when its ELF is named: both must answer
// alike and leave the same bytes after every single transaction.

const groups: readonly (readonly [string, readonly Scenario[]])[] = [
  ['init, close and revoke the authority', authorityScenarios],
  ['plans', planScenarios],
  ['subscribe', subscribeScenarios],
  ['pull', pullScenarios],
  ['tokens', tokenScenarios],
  ['cancel and resume', cancelScenarios],
  ['close', closeScenarios],
  ['shapes', malformedAccountScenarios],
  [
    'which of several errors wins',
    [...authorityCheckOrderScenarios, ...planCheckOrderScenarios, ...subscriptionCheckOrderScenarios],
  ],
  ['transport', transportScenarios],
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
