/** A place of the dashboard, as the address has it behind the `#`: `#/proj_1/customers?filter=late`. */
export interface Place {
  readonly project: string | null;
  /** The name of the page, and what it shows. */
  readonly page: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [project = null, page = '', ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(plain);
  return { project, page, rest, query: new URLSearchParams(query) };
}

/** The address of a place, for links. */
export function hashOf(
  project: string,
  page: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string | null>> = {},
): string {
  const path = [project, page, ...rest].map(encodeURIComponent).join('/');
  const values = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `#/${path}${values.length === 0 ? '' : `?${new URLSearchParams(values).toString()}`}`;
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
