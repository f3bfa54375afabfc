import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LOOPBACK = ['127.0.0.1', '::1'];

function systemHostsFile(): string {
  return process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts';
}

/**
 * Finds the addresses of a name in the hosts file, in its order, and of `localhost` and names below it also
 * without it. The file is read again when it changes, synchronously: the threads of Node may wait for lookups
 * of others.
 */
export function readHostsFile(path = systemHostsFile()): (name: string) => readonly string[] {
  let version = '';
  let names: ReadonlyMap<string, readonly string[]> = new Map();
  return (name) => {
    const current = versionOf(path);
    if (current !== version) {
      names = current === '' ? new Map<string, readonly string[]>() : parse(readFileSync(path, 'utf8'));
      version = current;
    }
    return names.get(name) ?? (/(^|\.)localhost$/.test(name) ? LOOPBACK : []);
  };
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

function parse(text: string): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || address === '') continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}
