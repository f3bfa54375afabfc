import { styleText } from 'node:util';

const LEVELS: Readonly<Record<number, readonly [name: string, style: 'dim' | 'cyan' | 'yellow' | 'red']>> = {
  20: ['debug', 'dim'],
  30: ['info', 'cyan'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
};

/** A line of JSON as a person reads it in a terminal: time, level, message, facts. In colour if the stream takes it. */
export function pretty(line: string, stream: NodeJS.WritableStream): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as {
    level: number;
    time: string;
    msg: string;
    err?: { stack?: string };
  };
  const [name, style] = LEVELS[level] ?? ['fatal', 'red'];
  const told = Object.entries(facts).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const text = [
    styleText('dim', time.slice(11, 23), { stream }),
    styleText(style, name.padEnd(5), { stream }),
    msg,
    ...told,
  ].join(' ');
  return err?.stack === undefined ? `${text}\n` : `${text}\n${err.stack}\n`;
}
