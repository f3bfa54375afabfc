import { styleText } from 'node:util';

/** Tells the story on a stream; in colour only where a terminal shows it and NO_COLOR does not forbid it. */
export interface Printer {
  chapter(title: string): void;
  /** What somebody does or what the chain shows. */
  line(text: string): void;
  /** A line of a document somebody reads. */
  quote(text: string): void;
  /** A webhook that arrived. */
  heard(sequence: number, name: string, text: string): void;
  check(text: string, holds: boolean): void;
}

export function createPrinter(stream: NodeJS.WritableStream): Printer {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    styleText(format, text, { stream });
  const write = (text: string) => void stream.write(`${text}\n`);
  return {
    chapter(title) {
      write(`\n${style('bold', title)}`);
    },
    line(text) {
      write(`  ${text}`);
    },
    quote(text) {
      write(`    ${style('dim', text)}`);
    },
    heard(sequence, name, text) {
      const subject = `webhook ${String(sequence).padStart(2)} ${name.padEnd(14)}`;
      write(`  ${style('cyan', subject)} ${style('dim', text)}`);
    },
    check(text, holds) {
      write(holds ? `  ${style('green', 'ok')}    ${text}` : `  ${style('red', 'WRONG')} ${text}`);
    },
  };
}
