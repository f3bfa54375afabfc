import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { flag, oneOf, text, whole } from '../option.js';
import { UsageError } from '../errors.js';

const MANAGEMENT = flag('a management key, for /manage/v1, in place of an API key');

/** `subrail key`. */
export function addKeyCommands(root: Group): void {
  const group = addGroup(root, 'key', 'API keys of a project, and management keys of the service.');
  addManaged(group, {
    usage: 'create',
    about: 'Create a key. It is shown only now: the service keeps no more than its hash.',
    example: 'subrail key create --management --name deploy --access write',
    operations: ['keys.create', 'management.createKey'],
    options: {
      management: MANAGEMENT,
      name: text('name', 'who or what the key is for'),
      access: oneOf(['read', 'write'], 'what a management key may do'),
    },
    async run({ manager, options: { management, name, access }, project }) {
      if (management === undefined) {
        // An API key may do everything in its project, and a person who names an access asks for less.
        if (access !== undefined)
          throw new UsageError('--access is of a management key: add --management, or leave it out.');
        return (await project()).keys.create({ name });
      }
      if (name === undefined || access === undefined) {
        throw new UsageError('A management key needs --name and --access.');
      }
      return manager.management.createKey({ name, access });
    },
  });
  addManaged(group, {
    usage: 'list',
    about: 'List the keys without their secrets, with the date of their last use.',
    example: 'subrail key list --management',
    operations: ['keys.list', 'management.listKeys'],
    options: { management: MANAGEMENT },
    run: async ({ manager, options: { management }, project }) =>
      management === true ? manager.management.listKeys() : (await project()).keys.list(),
    shown: ['id', 'name', 'access', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'],
  });
  addManaged(group, {
    usage: 'rotate <id>',
    about: 'Replace an API key by a new one, which is shown only now.',
    example: 'subrail key rotate key_… --overlap-hours 24',
    operations: ['keys.rotate'],
    options: { overlap_hours: whole('hours', 'how long the old one works too, 0 to 24; 0 without it') },
    question: ([id]) =>
      `Replace ${id}? Without an overlap, whoever uses it is refused until it has the new one.`,
    run: async ({ project, operands: [id = ''], options }) => (await project()).keys.rotate(id, options),
  });
  addManaged(group, {
    usage: 'revoke <id>',
    about: 'Revoke a key at once.',
    example: 'subrail key revoke key_… --yes',
    operations: ['keys.revoke', 'management.revokeKey'],
    question: ([id]) => `Revoke ${id}? Whoever uses it is refused from then on.`,
    run: async ({ manager, project, operands: [id = ''] }) =>
      id.startsWith('mkey_') ? manager.management.revokeKey(id) : (await project()).keys.revoke(id),
  });
}
