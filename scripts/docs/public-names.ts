import { exportsOf, publishedEntryPointSources } from '../tasks/entry-points.mjs';

/** The page of public names. A change of an entry point shows there what users may depend on. */
export function publicNamesPage(): string {
  const entryPoints = publishedEntryPointSources();
  const exported = exportsOf(entryPoints);
  const sections = entryPoints.map((entryPoint) => {
    const names = exported.filter((one) => one.entryPoint === entryPoint);
    const list = (title: string, isValue: boolean) => {
      const listed = names.filter((one) => one.isValue === isValue).map(({ name }) => `\`${name}\``);
      return listed.length === 0 ? [] : [`${title}:\n${listed.join('\n')}`];
    };
    return [`## ${entryPoint.name}`, ...list('Values', true), ...list('Types', false)].join('\n\n');
  });
  return `${[
    '# Public names',
    'Made by `npm run docs` from the entry points of the published packages. A name here is kept for as long as the\nversion is: add one when a user needs it, and say in the commit who.',
    ...sections,
  ].join('\n\n')}\n`;
}
