import { styleText } from 'node:util';

/** Prints the demo. It uses colour only if the stream is a terminal and NO_COLOR is not set. */
export interface Printer {
  heading(title: string): void;
  line(text: string): void;
  /** A line of a document, such as the terms. */
  quote(text: string): void;
  /** A webhook that was received. */
  webhook(sequence: number, name: string, text: string): void;
  /** A check of the result, and whether it passed. */
  check(text: string, passed: boolean): void;
}

export function createPrinter(stream: NodeJS.WritableStream): Printer {
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    styleText(format, text, { stream });
  const write = (text: string) => void stream.write(`${text}\n`);
  return {
    heading(title) {
      write(`\n${style('bold', title)}`);
    },
    line(text) {
      write(`  ${text}`);
    },
    quote(text) {
      write(`    ${style('dim', text)}`);
    },
    webhook(sequence, name, text) {
      const subject = `webhook ${String(sequence).padStart(2)} ${name.padEnd(14)}`;
      write(`  ${style('cyan', subject)} ${style('dim', text)}`);
    },
    check(text, passed) {
      write(passed ? `  ${style('green', 'ok')}    ${text}` : `  ${style('red', 'WRONG')} ${text}`);
    },
  };
}
