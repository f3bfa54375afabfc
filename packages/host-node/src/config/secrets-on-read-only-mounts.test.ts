import fs, { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signerFromKeyFile } from '@subrail/adapters/node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runHere } from '../command/tests/fake-terminal.js';
import { createKeyFile } from '../state/signer-file.js';
import { ConfigError } from './config-error.js';
import { readConfig } from './read-config.js';

/** The system's answer to a change of permissions. Null: the change is made. */
type Answer = 'EROFS' | 'EPERM' | null;

interface Mount {
  readonly name: string;
  readonly mode: number;
  readonly answer: Answer;
  /** The remedy before the file may be used. */
  readonly remedy: RegExp | null;
  readonly isWarned: boolean;
}

/** The ways in which platforms hand the file of a secret to a host. */
const MOUNTS: readonly Mount[] = [
  { name: 'Kubernetes, without fsGroup', mode: 0o644, answer: 'EROFS', remedy: null, isWarned: true },
  {
    name: 'Kubernetes, with defaultMode 0400 and fsGroup',
    mode: 0o440,
    answer: 'EROFS',
    remedy: null,
    isWarned: false,
  },
  { name: 'Kubernetes, with defaultMode 0777', mode: 0o777, answer: 'EROFS', remedy: null, isWarned: true },
  { name: 'Docker Swarm', mode: 0o444, answer: 'EROFS', remedy: null, isWarned: true },
  { name: 'a read-only bind of a private file', mode: 0o600, answer: 'EROFS', remedy: null, isWarned: false },
  {
    name: 'the volume of an agent with its own user',
    mode: 0o640,
    answer: 'EPERM',
    remedy: null,
    isWarned: false,
  },
  {
    name: 'the volume of an agent that lets all read',
    mode: 0o644,
    answer: 'EPERM',
    remedy: null,
    isWarned: true,
  },
  {
    name: 'a volume where others can write',
    mode: 0o666,
    answer: 'EPERM',
    remedy: /^It belongs to the user \d+, who has to run: chmod go-w /,
    isWarned: false,
  },
  {
    name: 'a volume where the group can write',
    mode: 0o460,
    answer: 'EPERM',
    remedy: /^It belongs to the user \d+, who has to run: chmod go-w /,
    isWarned: false,
  },
  {
    name: 'a disk, where all can read',
    mode: 0o644,
    answer: null,
    remedy: /^Run: chmod 600 /,
    isWarned: false,
  },
  {
    name: 'a disk, where the group can read',
    mode: 0o440,
    answer: null,
    remedy: /^Run: chmod 600 /,
    isWarned: false,
  },
  { name: 'a disk, for the owner alone', mode: 0o400, answer: null, remedy: null, isWarned: false },
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-mount-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

function mount(name: string, { mode, answer }: Mount, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  // A mount that a platform made differs from a folder in this answer only.
  vi.spyOn(fs, 'fchmodSync').mockImplementation(() => {
    if (answer !== null) throw Object.assign(new Error(answer), { code: answer });
  });
  syncBuiltinESMExports();
  return path;
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

// starting#secret-files
describe.each(MOUNTS)('a secret on $name (mode $mode)', (given) => {
  const { remedy, isWarned } = given;

  test('is read as a file of a setting, or refused with a remedy that works', () => {
    const path = mount('sealing-key', given, 'ab'.repeat(32));
    const environment = { SUBRAIL_SEALING_KEY_FILE: path };
    const problems = problemsOf(() => readConfig(environment, folder));
    if (remedy !== null) {
      expect(problems).toHaveLength(1);
      const before = `SUBRAIL_SEALING_KEY_FILE names ${path}, on which other users have a permission. `;
      expect(problems[0]).toContain(before);
      expect(problems[0]?.slice(before.length)).toMatch(remedy);
      return;
    }
    expect(problems).toEqual([]);
    const { sealingKey, remarks } = readConfig(environment, folder);
    expect(Buffer.from(sealingKey ?? []).toString('hex')).toBe('ab'.repeat(32));
    expect(remarks).toEqual(
      isWarned
        ? [
            {
              level: 'warn',
              sentence: expect.stringContaining(
                `${path}, which SUBRAIL_SEALING_KEY_FILE names, can be read by every user`,
              ) as string,
            },
          ]
        : [],
    );
  });

  test('is read in a configuration file', () => {
    const path = mount('subrail.json', given, JSON.stringify({ sealing_key: 'ab'.repeat(32) }));
    const problems = problemsOf(() => readConfig({}, folder));
    if (remedy !== null) {
      const before = `${path} holds sealing_key, and other users have a permission on it. `;
      expect(problems[0]).toContain(before);
      expect(problems[0]?.slice(before.length)).toMatch(remedy);
      return;
    }
    expect(problems).toEqual([]);
    expect(readConfig({}, folder).remarks).toHaveLength(isWarned ? 1 : 0);
  });

  test('is read as the management key of a command', async () => {
    const path = mount('key', given, `SUBM_${'x'.repeat(43)}`);
    const { stderr } = await runHere(['project', 'list', '--url', 'http://127.0.0.1:1', '--key-file', path], {
      folder,
      fetch: () => Promise.resolve(Response.json([])),
    });
    if (remedy === null) expect(stderr).not.toContain('other users');
    else expect(stderr).toMatch(`The key file ${path} can be read or changed by other users. `);
  });

  test('is read as the key file of who embeds the service', async () => {
    const address = await createKeyFile(join(folder, 'made.json'));
    const path = mount('charger.json', given, readFileSync(join(folder, 'made.json'), 'utf8'));
    const signer = signerFromKeyFile(path);
    if (remedy === null) expect((await signer).address).toBe(address);
    else await expect(signer).rejects.toThrow(/can be read or changed by other users\. (Run|It belongs)/);
  });
});
