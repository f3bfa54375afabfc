import { styleText } from 'node:util';

/** The name and the style of each level, by pino's number. */
const LEVELS: Readonly<Record<number, readonly [name: string, style: 'dim' | 'cyan' | 'yellow' | 'red']>> = {
  20: ['debug', 'dim'],
  30: ['info', 'cyan'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
};

/** Formats a line of JSON for a person, with stacks below, in colour on a terminal. */
export function pretty(line: string, stream: NodeJS.WritableStream): string {
  const { level, time, msg, ...rest } = JSON.parse(line) as { level: number; time: string; msg: string };
  const [name, style] = LEVELS[level] ?? ['fatal', 'red'];
  const entries = Object.entries(rest).map(([key, value]) => ({ key, value, stack: stackOf(value) }));
  const fields = entries.flatMap(({ key, value, stack }) =>
    stack === null ? [`${key}=${JSON.stringify(value)}`] : [],
  );
  const firstLine = [
    styleText('dim', time.slice(11, 23), { stream }),
    styleText(style, name.padEnd(5), { stream }),
    msg,
    ...fields,
  ];
  return [firstLine.join(' '), ...entries.flatMap(({ stack }) => stack ?? []), ''].join('\n');
}

function stackOf(value: unknown): string | null {
  const stack: unknown = typeof value === 'object' && value !== null && 'stack' in value ? value.stack : null;
  return typeof stack === 'string' ? stack : null;
}
