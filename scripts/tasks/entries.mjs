/**
 * What a package builds, by its manifest: each file of `dist` by its name, with the source it is built from.
 * @param {import('./repository.mjs').Manifest} manifest
 */
export function builtEntries({ name, exports = {}, publishConfig = {}, bin = {} }) {
  const published = publishConfig.exports ?? {};
  const unknown = Object.keys(published).find((path) => exports[path] === undefined);
  if (unknown !== undefined)
    throw new Error(`${name}: publishConfig.exports has ${unknown}, and exports does not. List it in both.`);
  /** @type {Record<string, string>} */
  const modules = {};
  /** @type {Record<string, string>} */
  const commands = {};
  for (const [path, source] of Object.entries(exports)) {
    const built = published[path];
    if (built === undefined)
      throw new Error(`${name}: exports has ${path}, and publishConfig.exports does not. List it in both.`);
    modules[distName(built.default)] = source;
  }
  for (const built of Object.values(bin)) commands[distName(built)] = `src/${distName(built)}.ts`;
  return { modules, commands };
}

/**
 * The name of a file of `dist`, without its ending.
 * @param {string} file
 */
function distName(file) {
  const match = /^\.\/dist\/(.+)\.js$/.exec(file);
  if (match?.[1] === undefined)
    throw new Error(`${file} is published, but it must be a file like ./dist/name.js.`);
  return match[1];
}
