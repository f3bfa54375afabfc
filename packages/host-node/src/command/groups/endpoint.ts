import { type EndpointWire, EventType } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, listed } from '../managed.js';
import { list, required, text, whole } from '../option.js';

const COLUMNS = ['id', 'url', 'enabled', 'disabled_reason', 'failing_since', 'answer', 'types'];
const EVENTS = list('types', 'the events it receives, with commas between, or all');

/** The events of `--events`. The service refuses an unknown name. */
const typesOf = (events: readonly string[]) =>
  (events.length === 1 && events[0] === 'all' ? EventType.options : events) as EventType[];

/** An endpoint with what it answers while it fails, such as `503 upstream connect error`, and its events. */
function rowOf(endpoint: EndpointWire): object {
  const { status, excerpt } = endpoint.last_failure ?? {};
  const types = endpoint.types.length === EventType.options.length ? 'all' : endpoint.types;
  return { ...endpoint, types, answer: [status, excerpt?.slice(0, 80)].filter(Boolean).join(' ') || null };
}

/** `subrail endpoint`. */
export function addEndpointCommands(root: Group): void {
  const group = addGroup(root, 'endpoint', 'Webhook endpoints: where the events of a project are sent.');
  addManaged(group, {
    usage: 'create <url>',
    about: 'Create an endpoint. Its secret is shown only now, and when it is rotated.',
    example: 'subrail endpoint create https://shop.example.com/webhooks --events all',
    operations: ['endpoints.create'],
    options: { events: required(EVENTS) },
    run: async ({ project, operands: [url = ''], options: { events } }) =>
      (await project()).endpoints.create({ url, types: typesOf(events) }),
  });
  addManaged(group, {
    usage: 'list',
    about: 'List the endpoints of a project.',
    example: 'subrail endpoint list',
    operations: ['endpoints.list'],
    run: async ({ project }) => (await project()).endpoints.list(),
    shown: (endpoints, { terminal }) => listed(terminal, COLUMNS, { data: endpoints }, rowOf),
  });
  addManaged(group, {
    usage: 'show <id>',
    about: 'Show an endpoint.',
    example: 'subrail endpoint show ep_…',
    operations: ['endpoints.retrieve'],
    run: async ({ project, operands: [id = ''] }) => (await project()).endpoints.retrieve(id),
  });
  addManaged(group, {
    usage: 'update <id>',
    about: 'Change which events an endpoint receives.',
    example: 'subrail endpoint update ep_… --events subscription.created,subscription.ended',
    operations: ['endpoints.update'],
    options: { events: required(EVENTS) },
    run: async ({ project, operands: [id = ''], options: { events } }) =>
      (await project()).endpoints.update(id, { types: typesOf(events) }),
  });
  addManaged(group, {
    usage: 'enable <id>',
    about: 'Send to an endpoint again.',
    example: 'subrail endpoint enable ep_…',
    operations: ['endpoints.enable'],
    run: async ({ project, operands: [id = ''] }) => (await project()).endpoints.enable(id),
  });
  addManaged(group, {
    usage: 'disable <id>',
    about: 'Send nothing to an endpoint until it is enabled.',
    example: 'subrail endpoint disable ep_…',
    operations: ['endpoints.disable'],
    run: async ({ project, operands: [id = ''] }) => (await project()).endpoints.disable(id),
  });
  addManaged(group, {
    usage: 'delete <id>',
    about: 'Delete an endpoint with what is still to be delivered to it.',
    example: 'subrail endpoint delete ep_… --yes',
    operations: ['endpoints.delete'],
    question: ([id]) => `Delete the endpoint ${id}, and everything still to be delivered to it?`,
    run: async ({ project, operands: [id = ''] }) => (await project()).endpoints.delete(id),
  });
  addManaged(group, {
    usage: 'test <id>',
    about: 'Send a test to an endpoint now, and show what it answered.',
    example: 'subrail endpoint test ep_… --type subscription.renewed',
    operations: ['endpoints.test'],
    options: { type: text('type', 'the event that the test looks like; test without it') },
    run: async ({ project, operands: [id = ''], options: { type } }) =>
      (await project()).endpoints.test(id, { type: type as EventType | undefined }),
    exitCode: ({ state }) => (state === 'delivered' ? 0 : 1),
  });
  addManaged(group, {
    usage: 'recover <id>',
    about: 'Send the events again that an endpoint missed since a date.',
    example: 'subrail endpoint recover ep_… --since 2026-10-02T08:30:00Z',
    operations: ['endpoints.recover'],
    options: { since: required(text('date', 'from when on, such as 2026-10-02T08:30:00Z')) },
    run: async ({ project, operands: [id = ''], options }) =>
      (await project()).endpoints.recover(id, options),
  });
  addManaged(group, {
    usage: 'rotate-secret <id>',
    about: 'Replace the secret of an endpoint. The new one is shown only now.',
    example: 'subrail endpoint rotate-secret ep_… --overlap-hours 24',
    operations: ['endpoints.rotateSecret'],
    options: { overlap_hours: whole('hours', 'how long the old one signs too, 0 to 24; 0 without it') },
    question: ([id]) =>
      `Replace the secret of ${id}? Without an overlap its receiver refuses what it gets until it has the new one.`,
    run: async ({ project, operands: [id = ''], options }) =>
      (await project()).endpoints.rotateSecret(id, options),
  });
}
