import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { pathOf } from '../command-tree.js';
import { createProgram } from '../program.js';
import { fakeTerminal, runHere } from '../tests/fake-terminal.js';
import { wordsOf } from './completion.js';

const { command: root } = createProgram({
  terminal: fakeTerminal({ folder: '/' }).terminal,
  args: [],
  finish: () => undefined,
});

const everyCommand = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(everyCommand),
];

test('the words after a command are its commands and its options', () => {
  const words = new Map(wordsOf(root));
  expect([...words.keys()]).toEqual(everyCommand(root).map(pathOf));
  expect(words.get('subrail plan')).toEqual(expect.arrayContaining(['create', 'publish', '--help']));
  expect(words.get('subrail plan publish')).toEqual(
    expect.arrayContaining(['--owner-key', '--json', '--url']),
  );
});

/** The completions of bash for typed words, with the cursor on the last. */
async function completed(...typed: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runHere(['completion', 'bash'], { folder: '/' });
  const words = typed.map((word) => `'${word}'`).join(' ');
  const probe = `${script}COMP_WORDS=(${words}); COMP_CWORD=${typed.length - 1}; _subrail; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', probe], { encoding: 'utf8' }).trim().split('\n');
}

test('bash completes commands and options, also after an option', async () => {
  expect(await completed('subrail', 'pl')).toEqual(['plan']);
  expect(await completed('subrail', 'plan', 'pub')).toEqual(['publish']);
  expect(await completed('subrail', 'endpoint', '--json', 'rot')).toEqual(['rotate-secret']);
  expect(await completed('subrail', 'plan', 'publish', '--own')).toEqual(['--owner-key']);
});

test.each(['zsh', 'fish'])('the script for %s has every command', async (shell) => {
  const { code, stdout } = await runHere(['completion', shell], { folder: '/' });
  expect(code).toBe(0);
  for (const command of everyCommand(root)) expect(stdout).toContain(`'${pathOf(command)}'`);
});

test('refuses another shell', async () => {
  expect(await runHere(['completion', 'csh'], { folder: '/' })).toMatchObject({ code: 2 });
});

test('the help of every command has one example, which begins with that command', () => {
  for (const command of everyCommand(root).filter(({ commands }) => commands.length === 0)) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    const [, examples = ''] = help.split('\nExample:\n');
    const lines = examples.split('\n').filter((line) => line.startsWith('  '));
    expect([pathOf(command), lines.length]).toEqual([pathOf(command), 1]);
    expect(lines[0]).toContain(pathOf(command));
  }
});
