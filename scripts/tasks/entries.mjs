/**
 * What a package's manifest says must be built: a file of `dist` by its name, to the source it is built from.
 * @param {import('./repository.mjs').Manifest} manifest
 */
export function builtEntries({ name, exports = {}, publishConfig = {}, bin = {} }) {
  const published = publishConfig.exports ?? {};
  const unknown = Object.keys(published).find((path) => exports[path] === undefined);
  if (unknown !== undefined) throw new Error(`${name}: exports has no ${unknown}`);
  /** @type {Record<string, string>} */
  const modules = {};
  /** @type {Record<string, string>} */
  const commands = {};
  for (const [path, source] of Object.entries(exports)) {
    const built = published[path];
    if (built === undefined) throw new Error(`${name}: publishConfig.exports has no ${path}`);
    modules[distName(built.default)] = source;
  }
  for (const built of Object.values(bin)) commands[distName(built)] = `src/${distName(built)}.ts`;
  return { modules, commands };
}

/** @param {string} file */
function distName(file) {
  const match = /^\.\/dist\/(.+)\.js$/.exec(file);
  if (match?.[1] === undefined) throw new Error(`${file} is not a module of dist`);
  return match[1];
}
