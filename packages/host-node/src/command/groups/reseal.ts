import type { ResealedSecrets } from '@subrail/core/schemas';
import type { Group } from '../command-tree.js';
import { addManaged } from '../managed.js';

/** `subrail reseal`: exit code 1 for secrets that no key opens, and for endpoints that cannot be read. */
export function addResealCommand(root: Group): void {
  addManaged(root, {
    usage: 'reseal',
    about:
      'Encrypt every webhook secret in the database with sealing_key, so that the keys of older_sealing_keys can be removed. Hosts may run meanwhile.',
    example: 'subrail reseal --config subrail.json',
    operations: ['secrets.reseal'],
    ofProject: false,
    run: ({ manager }) => manager.secrets.reseal(),
    async shown(result, { opened: { sealingKey } }) {
      if (sealingKey === null) return describe(result);
      const { sealingKeyId } = await import('@subrail/adapters/node');
      return `The newest sealing key is ${await sealingKeyId(sealingKey)}.\n${describe(result)}`;
    },
    exitCode: ({ not_opened, unreadable }) => (not_opened.length + unreadable.length === 0 ? 0 : 1),
  });
}

function describe({ resealed, unchanged, not_opened, unreadable }: ResealedSecrets): string {
  const done =
    resealed === 0
      ? `Nothing was left to do: the secrets of ${endpoints(unchanged)} were sealed with the newest key before.\n`
      : `The secrets of ${endpoints(resealed)} are now sealed with the newest key; those of ${endpoints(unchanged)} were before.\n`;
  return done + describeNotOpened(not_opened) + describeUnreadable(unreadable);
}

function describeNotOpened(not_opened: ResealedSecrets['not_opened']): string {
  if (not_opened.length === 0) return '';
  const problem = `The secrets of ${endpoints(not_opened.length)} open with none of the keys. Add the key that sealed them to older_sealing_keys and run this again, or rotate them without an overlap:\n`;
  const lines = not_opened.map(({ project, endpoint }) => `  ${endpoint} of project ${project}\n`);
  return [problem, ...lines].join('');
}

function describeUnreadable(unreadable: ResealedSecrets['unreadable']): string {
  if (unreadable.length === 0) return '';
  const problem = `${endpoints(unreadable.length)} cannot be read, because a row is damaged or a newer release wrote it. Keep the older keys until that is repaired and this was run again:\n`;
  return [problem, ...unreadable.map((id) => `  ${id}\n`)].join('');
}

function endpoints(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}
