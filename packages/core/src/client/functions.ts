import { listed, type Page } from './listed.js';
import type { CallOptions } from './options.js';
import type { Route } from './route.js';
import type { Send } from './send.js';

/** The functions of routes, by group and member. */
type Functions = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>;

/**
 * Makes the functions of routes. Each takes the parameters of its path that `named` leaves open, the input,
 * if the route has one, and the options of the call, which default to those of `optionsOf`.
 */
export function functionsOf(
  send: Send,
  routes: readonly Route[],
  named: readonly string[] = [],
  optionsOf: (route: Route) => CallOptions = () => ({}),
): Functions {
  const groups: Record<string, Record<string, (...args: readonly unknown[]) => unknown>> = {};
  for (const route of routes) {
    const [group = '', member = ''] = route.name.split('.');
    const call = functionOf(send, route);
    (groups[group] ??= {})[member] = (...args) => call([...named, ...args], optionsOf(route));
  }
  return groups;
}

function functionOf(send: Send, route: Route) {
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name));
  return (args: readonly unknown[], common: CallOptions): Promise<unknown> => {
    const rest = args.slice(names.length);
    const input = route.input ? (rest.shift() as object | undefined) : undefined;
    const options = { ...common, ...(rest[0] as CallOptions | undefined) };
    const answer = async (given: object | undefined) => {
      const path = names.reduce(
        (filled, name, place) => filled.replace(`{${name}}`, pathSegment(name, args[place])),
        route.path,
      );
      const answered = await send({ route, path, input: given ?? bodyOf(route) }, options);
      return route.answer === 'nothing' ? undefined : answered;
    };
    if (route.answer !== 'page') return answer(input);
    const page = (given: object | undefined) => answer(given) as Promise<Page>;
    return listed(page(input), (id) => page({ ...input, starting_after: id }));
  };
}

/** The default input: an empty body of a POST that takes one. */
function bodyOf({ method, input }: Route): object | undefined {
  return method === 'POST' && input ? {} : undefined;
}

/** A value as a segment of a path. Throws for `""`, `.` and `..`, which a URL would drop. */
function pathSegment(name: string, value: unknown): string {
  const text = String(value);
  if (/^\.{0,2}$/.test(text))
    throw new TypeError(`${name} must be a text other than "", "." and ".."; it is "${text}".`);
  return encodeURIComponent(text);
}
