import type { ManagedPlan } from '@subrail/core/schemas';
import { formats, moment, type Piece } from './pieces.js';
import { words } from './words.js';

const { plans: texts, signing } = words;

/** A change of a plan that its owner signs: the step that builds it, with its body. */
export type Change =
  | { readonly step: 'publish' | 'delete' }
  | { readonly step: 'sunset'; readonly body: { readonly ends_at?: string } }
  | { readonly step: 'shorten'; readonly body: { readonly ends_at: string } }
  | {
      readonly step: 'pullers';
      readonly body: { readonly pullers: readonly string[]; readonly without_charger: boolean };
    };

/** The route below the plan that looks whether the chain shows a change, and the values that it must show. */
export function confirmationOf(change: Change): readonly [path: string, body?: object] {
  switch (change.step) {
    case 'publish':
    case 'delete':
      return [`${change.step}/confirm`];
    case 'sunset':
      return ['confirm', { status: 'sunset', ...change.body }];
    case 'shorten':
      return ['confirm', change.body];
    case 'pullers':
      return ['confirm', { pullers: change.body.pullers }];
  }
}

/** The refusal of a confirmation that says that the chain does not show the change yet. */
export const NOT_YET: Readonly<Record<Change['step'], string>> = {
  publish: 'plan_not_on_chain',
  sunset: 'plan_mismatch',
  shorten: 'plan_mismatch',
  pullers: 'plan_mismatch',
  delete: 'conflict',
};

/** The price of a plan with the smallest units beneath. */
export const priceOf = (plan: ManagedPlan): readonly [string, string] => [
  `${formats.price(plan)} ${formats.period(plan)}`,
  signing.smallest(plan.amount),
];

/** What is signed by a change, in words. */
export function factsOf(plan: ManagedPlan, change: Change): readonly (readonly [string, Piece, string?])[] {
  const name = [texts.name, plan.name] as const;
  switch (change.step) {
    case 'publish':
      return [
        name,
        [texts.price, ...priceOf(plan)],
        plan.symbol === null ? [texts.token, plan.mint] : [texts.token, plan.symbol, plan.mint],
        [texts.receiver, plan.destinations[0] ?? plan.owner],
        [texts.pullers, texts.charger],
        [texts.endsAt, plan.ends_at === null ? signing.noEnd : moment(plan.ends_at)],
      ];
    case 'sunset':
      return [
        name,
        [signing.takesNobody, signing.now],
        [texts.endsAt, moment(change.body.ends_at ?? plan.ends_at)],
      ];
    case 'shorten':
      return [name, [texts.endsAt, moment(change.body.ends_at)]];
    case 'pullers':
      return [name, [signing.mayCharge, change.body.pullers.join(', ') || signing.noPullers]];
    case 'delete':
      return [name, [texts.endsAt, moment(plan.ends_at)]];
  }
}
