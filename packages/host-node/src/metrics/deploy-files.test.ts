import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exposedMetrics, fullPage } from './tests/full-page.js';

const read = (path: string) => readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), 'utf8');

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(read('grafana/subrail.json')) as { readonly panels: readonly Panel[] };
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const alerts = read('prometheus/alerts.yml')
  .split(/^ +- alert: /m)
  .slice(1);

/** The metrics without a panel, and why they need none. */
const WITHOUT_PANEL: Readonly<Record<string, string>> = {
  subrail_charger_read_timestamp_seconds: 'An alert says when it is old, and otherwise nobody looks at it.',
};

/** The metrics that a text names. */
const namedIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:subrail|process|nodejs)_\w+/g)].map(([name]) => name));

test('the dashboard and the alerts name only metrics that the host exposes', async () => {
  const page = await fullPage();
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const named = [...namedIn(expressions), ...namedIn(alerts.map(withoutTexts).join('\n'))];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(page))).toEqual([]);
});

test('every metric of the service has a panel, or a reason why it needs none', async () => {
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
  const shown = new Set([...namedIn(expressions)].map((name) => name.replace(/_bucket$/, '')));
  const exposed = [...(await exposedMetrics()).keys()];
  expect(exposed.filter((name) => !shown.has(name))).toEqual(Object.keys(WITHOUT_PANEL));
});

test('the dashboard and the alerts use only labels that their metrics have', async () => {
  const labels = await exposedMetrics();
  const texts = [...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)), ...alerts];
  const used = texts.flatMap((text) =>
    [...text.matchAll(/\b(subrail_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', selectors = '']) =>
      [...selectors.matchAll(/(\w+)[=!~]+"/g)].map(([, label = '']) => ({ name, label })),
    ),
  );
  expect(used.length).toBeGreaterThan(10);
  const known = ({ name, label }: { readonly name: string; readonly label: string }) =>
    labels.get(name.replace(/_bucket$/, ''))?.includes(label) === true;
  expect(used.filter((one) => !known(one))).toEqual([]);
});

test('every alert says how severe it is, what is wrong, and why somebody should look', () => {
  expect(alerts.length).toBeGreaterThan(15);
  for (const alert of alerts)
    for (const part of [
      /\n +expr: /,
      /\n +severity: (critical|warning)\n/,
      /\n +summary: /,
      /\n +description: /,
    ])
      expect(alert).toMatch(part);
  for (const { title, description } of panels) expect([title, description ?? '']).not.toContain('');
});

/** An alert without its texts, which may name anything. */
function withoutTexts(alert: string): string {
  return alert.replace(/\n +annotations:[\s\S]*/, '');
}
