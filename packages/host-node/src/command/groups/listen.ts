import { type EndpointWire, EventType } from '@subrail/core/schemas';
import type { Group } from '../command-tree.js';
import { CommandFailed, UsageError } from '../errors.js';
import { addManaged } from '../managed.js';
import { list, required, text, whole } from '../option.js';
import { START } from '../sandbox/command-name.js';

const PORT = 4244;
/** The webhooks whose attempts are counted, the newest. */
const COUNTED = 10_000;
const COLUMNS = ['url', 'type', 'state', 'last_status', 'last_excerpt'] as const;

/** `subrail listen` and `subrail trigger`, for endpoints in development. */
export function addListenCommands(root: Group): void {
  addManaged(root, {
    usage: 'listen',
    about:
      'Show webhooks live and forward them to a server on your machine, until you stop it. For services in development, which allow private targets.',
    example: 'subrail listen --forward-to http://localhost:3000/webhooks',
    options: {
      forward_to: required(text('url', 'the address that gets each webhook, with its headers and bytes')),
      events: list('types', 'the events to receive, with commas between; all without it'),
      port: whole('port', `the port of this machine that the service sends to; ${PORT} without it`),
    },
    async run({ terminal, opened, project, options: { forward_to: to, events, port = PORT } }) {
      if (!URL.canParse(to) || !/^https?:/.test(to)) {
        throw new UsageError(`--forward-to is "${to}": it must be an http or https address.`);
      }
      const { forwardWebhooks, forwardedLine } = await import('../sandbox/forward-webhooks.js');
      const { developmentEndpoint } = await import('../sandbox/development-endpoint.js');
      const { stopSignal } = await import('../stop-signal.js');
      const stopped = (terminal.stopped ?? stopSignal)();
      const tries = new Map<string, number>();
      const forwarder = await forwardWebhooks(to, port, (forwarded) => {
        const { webhookId } = forwarded;
        const attempt = (tries.get(webhookId) ?? 0) + 1;
        tries.delete(webhookId);
        tries.set(webhookId, attempt);
        const [oldest] = tries.keys();
        if (tries.size > COUNTED && oldest !== undefined) tries.delete(oldest);
        terminal.write(forwardedLine(forwarded, attempt));
      });
      try {
        const types = (events ?? EventType.options) as EventType[];
        const endpoint = await developmentEndpoint(await project(), forwarder.url, types);
        try {
          terminal.tell(
            `Webhooks are forwarded to ${to} until you stop this with Ctrl-C.\n` +
              (endpoint.secret === null
                ? `The endpoint ${endpoint.id} was there: its signing secret is the one that was shown then. "subrail endpoint rotate-secret ${endpoint.id}" makes a new one.\n`
                : `Their signing secret is ${endpoint.secret}\n`),
          );
          if (opened.url === null)
            terminal.tell(
              `No host runs on this database, so nothing is sent until one is started: ${START}\n`,
            );
          await stopped;
        } finally {
          await endpoint.remove();
        }
      } finally {
        await forwarder.stop();
      }
      return {};
    },
    shown: () => '',
  });
  addManaged(root, {
    usage: 'trigger <type>',
    about:
      'Send a test webhook of an event now, to every endpoint in development that receives it, and show the answers.',
    example: 'subrail trigger subscription.renewed',
    async run({ project, operands: [typed = ''] }) {
      const type = readType(typed);
      const { isInDevelopment } = await import('../sandbox/development-endpoint.js');
      const { endpoints } = await project();
      const inDevelopment = (await endpoints.list()).filter(({ url }) => isInDevelopment(url));
      const receiving = inDevelopment.filter((endpoint) => receives(endpoint, type));
      if (receiving.length === 0) throw new CommandFailed(nobodyReceives(inDevelopment, type));
      const sent = [];
      for (const { id, url } of receiving) sent.push({ url, ...(await endpoints.test(id, { type })) });
      return sent;
    },
    shown: COLUMNS,
    exitCode: (sent) => (sent.every(({ state }) => state === 'delivered') ? 0 : 1),
  });
}

type TestType = EventType | 'test';

function readType(typed: string): TestType {
  const types = [...EventType.options, 'test'] as const;
  const type = types.find((one) => one === typed || one === `subscription.${typed}`);
  if (type !== undefined) return type;
  throw new UsageError(`"${typed}" is no event. The events are: ${types.join(', ')}.`);
}

const receives = ({ enabled, types }: EndpointWire, type: TestType): boolean =>
  enabled && (type === 'test' || types.includes(type));

function nobodyReceives(inDevelopment: readonly EndpointWire[], type: TestType): string {
  return inDevelopment.length === 0
    ? 'The project has no endpoint in development: one at a private address. "subrail listen" makes one. Other endpoints get no made-up events.'
    : `No endpoint in development is enabled and receives ${type}.`;
}
