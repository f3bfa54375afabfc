import type { Group } from '../command-tree.js';
import { addManaged, PAGE_OPTIONS } from '../managed.js';
import { text } from '../option.js';

/** `subrail audit`. */
export function addAuditCommand(root: Group): void {
  addManaged(root, {
    usage: 'audit',
    about: 'List who did what in management, newest first.',
    example: 'subrail audit --subject pro',
    operations: ['management.auditEntries'],
    ofProject: false,
    options: {
      project: text('id', 'only changes of this project'),
      subject: text('id', 'only changes of this: an id, or the slug of a plan'),
      ...PAGE_OPTIONS,
    },
    run: ({ manager, options }) => manager.management.auditEntries(options),
    shown: ['id', 'created_at', 'actor', 'operation', 'project', 'subject', 'outcome', 'code'],
  });
}
