import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { A, Fixtures } from './fixtures.js';
import { bytes, PROGRAM } from './instruction-builders.js';
import { OURS } from './test-chain.js';

const page = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Every instruction of the program by its selector, from the table of program#instruction-dispatch. */
function dispatchTable() {
  const [, section = ''] = page('../../../../../docs/program.md').split('## Instruction dispatch\n');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| ([\d, ]+) \| \[([^\]]+)\]\S+ \| ([^|]+) \|$/gm) ?? [];
  return [...rows].flatMap(([, selectors = '', names = '', payloads = '']) => {
    const sizes = payloads.split(', ');
    return names.split(', ').map((name, index) => ({
      name,
      selector: Number(selectors.split(', ')[index]),
      payload: Number.parseInt(sizes[index] ?? sizes[0] ?? '', 10) || 0,
    }));
  });
}

/** What the README says of each instruction. */
function readmeTable(): ReadonlyMap<string, string> {
  const rows = page('../../../README.md').matchAll(/^\| (`[^|]+`) \| ((?:yes|no|of a)[^|]*) \|$/gm);
  return new Map(
    [...rows].flatMap(([, names = '', there = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, there] as const),
    ),
  );
}

test('the README says of every instruction whether it is there', () => {
  const instructions = dispatchTable();
  const readme = readmeTable();
  expect(instructions.map(({ name }) => name).sort()).toEqual([...readme.keys()].sort());
  for (const { name, selector, payload } of instructions) {
    const chain = new Fixtures(OURS).bare().chain;
    const data = bytes(selector, new Uint8Array(payload));
    const { logs } = chain.send(A, [{ programAddress: PROGRAM, accounts: [], data }]);
    const isMissing = logs.some((line) => line.includes(`${name} is not implemented`));
    expect([name, isMissing]).toEqual([name, readme.get(name) === 'no']);
  }
});
