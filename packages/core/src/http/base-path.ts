/**
 * Reads an address's path from where the handler stands: `/v1/...` of `/billing/v1/...`, null outside of it. Throws a
 * TypeError for a base path that is not as every URL has it, for no request's path could ever begin with it.
 */
export function belowBasePath(basePath = ''): (path: string) => string | null {
  const asUrlHasIt = new URL(`http://localhost${basePath}`).pathname;
  if (!/^(\/[^/?#]+)*$/.test(basePath) || asUrlHasIt !== (basePath || '/')) {
    throw new TypeError(
      'basePath must be empty or begin with a slash and not end with one, and be written as URLs have it',
    );
  }
  return (path) => (path.startsWith(basePath) ? path.slice(basePath.length) : null);
}
