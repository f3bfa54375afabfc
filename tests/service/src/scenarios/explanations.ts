import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation } from '@subrail/core/schemas';

/** Whether the explanations of a page's scenarios are written and compared: it has a page of them. */
export const isExplained = (page: string): boolean => existsSync(pathOf(page));

/** What the service says of a subscription at a moment of a scenario. */
export interface Explained {
  readonly moment: string;
  /** The name of the subscription; null while it is the only one. */
  readonly name: string | null;
  readonly explanation: Explanation;
}

const pathOf = (page: string): string => join(import.meta.dirname, 'explanations', page);

/** The explanations of a scenario as its section of a page. */
export function explanationText(title: string, explained: readonly Explained[]): string {
  const parts = explained.map(({ moment, name, explanation }) => {
    const { state, next, to_do } = explanation;
    const lines = [
      ...next.map(({ at, what }) => `- ${at === null ? 'Next' : `At ${minute(at)}`}: ${what}`),
      ...to_do.map(({ who, what }) => `- To do, ${who.replace('_', ' ')}: ${what}`),
    ];
    return [`**${moment}${name === null ? '' : `, ${name}`}.** ${state.join(' ')}`, lines.join('\n')]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  const stories = lastOfEach(explained).map(({ name, explanation: { happened } }) => {
    const lines = happened.toReversed().map(({ at, what }) => `- ${minute(at)}: ${what}`);
    return [`What happened${name === null ? '' : ` to ${name}`}:`, lines.join('\n')].join('\n\n');
  });
  return withoutNames([`## ${title}`, ...parts, ...stories].join('\n\n'));
}

/** Addresses and signatures are others in every run, and ids in every other order of what is made. */
const withoutNames = (text: string): string =>
  text
    .replace(/\bsub_\w+/g, '(subscription)')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{80,90}\b/g, '(signature)')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{40,44}\b/g, '(address)');

/** The last explanation of each subscription. */
function lastOfEach(explained: readonly Explained[]): readonly Explained[] {
  return [...new Map(explained.map((one) => [one.name, one])).values()];
}

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

/** The section of a scenario in a page; empty when there is none. */
export function readExplanation(page: string, title: string): string {
  return sectionsOf(page).get(title) ?? '';
}

/** Writes the section of a scenario into its page. */
export function writeExplanation(page: string, title: string, text: string): void {
  const sections = new Map(sectionsOf(page)).set(title, text);
  writeFileSync(pathOf(page), `${[...sections.values()].join('\n\n')}\n`);
}

function sectionsOf(page: string): ReadonlyMap<string, string> {
  if (!existsSync(pathOf(page))) return new Map();
  const sections = readFileSync(pathOf(page), 'utf8').split(/^(?=## )/m);
  return new Map(sections.map((text) => [(text.split('\n')[0] ?? '').slice(3), text.trimEnd()] as const));
}
