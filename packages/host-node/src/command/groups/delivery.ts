import { DeliveryState } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, PAGE_OPTIONS } from '../managed.js';
import { oneOf, required, text } from '../option.js';
import { details, rowsTable } from '../table.js';

/** `subrail delivery`. */
export function addDeliveryCommands(root: Group): void {
  const group = addGroup(root, 'delivery', 'Deliveries: each is one event for one endpoint.');
  addManaged(group, {
    usage: 'list',
    about: 'List deliveries, newest first.',
    example: 'subrail delivery list --state failed',
    operations: ['deliveries.list'],
    options: {
      endpoint: text('id', 'only those to this endpoint'),
      event: text('id', 'only those of this event'),
      state: oneOf(DeliveryState.options, 'only those in this state'),
      ...PAGE_OPTIONS,
    },
    run: async ({ project, options }) => (await project()).deliveries.list(options),
    shown: ['id', 'created_at', 'type', 'endpoint', 'state', 'attempts', 'last_status', 'next_attempt_at'],
  });
  addManaged(group, {
    usage: 'show <id>',
    about: 'Show a delivery with every attempt.',
    example: 'subrail delivery show dlv_…',
    operations: ['deliveries.retrieve'],
    run: async ({ project, operands: [id = ''] }) => (await project()).deliveries.retrieve(id),
    shown({ log, ...delivery }, { terminal }) {
      const columns = ['number', 'started_at', 'status', 'duration_ms', 'excerpt'];
      return `${details(terminal, delivery)}\n${rowsTable(terminal, columns, log)}`;
    },
  });
  addManaged(group, {
    usage: 'resend',
    about: 'Send an event to an endpoint again.',
    example: 'subrail delivery resend --event evt_… --endpoint ep_…',
    operations: ['deliveries.resend'],
    options: {
      event: required(text('id', 'the event')),
      endpoint: required(text('id', 'the endpoint')),
    },
    run: async ({ project, options }) => (await project()).deliveries.resend(options),
  });
}
