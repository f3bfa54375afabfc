import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** A connection is closed after the first answer that ends later than this, so that a name which moves is looked up again. */
const LIFE_MS = 60_000;

/** How long one address of several may take before the next is tried. Node's 250 ms are too short across an ocean. */
const NEXT_ADDRESS_MS = 1_000;

/** What is kept of connections that are not in use. */
export interface ConnectionOptions {
  /** How long one stays open. */
  readonly idleMs: number;
  /** How many stay open, whatever their origins are. */
  readonly mostIdle: number;
  /** Certificates of authorities to trust in place of Node's. */
  readonly ca?: string;
}

/** The agents that open connections, one for each scheme. */
export interface Agents {
  readonly plain: PlainAgent;
  readonly tls: TlsAgent;
}

/** The connections of one sender. Those that are not in use do not keep the process alive. */
export class Connections {
  /** They reuse a connection to the origin if one is open, and keep it afterwards. */
  readonly kept: Agents;
  /** They open a connection for each request, and close it afterwards. */
  readonly fresh: Agents;
  readonly #options: ConnectionOptions;
  /** Connections that are not in use, the longest unused first. */
  readonly #idle = new Set<Duplex>();
  readonly #keptSince = new WeakMap<Duplex, number>();
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { idleMs, ca } = options;
    const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS };
    const trusted: AgentOptions = ca === undefined ? {} : { ca };
    // Of several open connections the one used last is reused, so that those that are not needed run out.
    const keeping = {
      ...connecting,
      keepAlive: true,
      timeout: idleMs,
      scheduling: 'lifo',
      maxFreeSockets: Infinity,
    } as const;
    this.kept = {
      plain: this.#watched(new PlainAgent(keeping)),
      tls: this.#watched(new TlsAgent({ ...keeping, ...trusted })),
    };
    this.fresh = { plain: new PlainAgent(connecting), tls: new TlsAgent({ ...connecting, ...trusted }) };
  }

  /** Closes the connections that are not in use. Those in use are closed when their answer ends. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#idle) socket.destroy();
  }

  #watched<One extends PlainAgent>(agent: One): One {
    const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
    const reuse = agent.reuseSocket.bind(agent);
    agent.keepSocketAlive = (socket) => this.#mayKeep(socket) && keep(socket);
    agent.reuseSocket = (socket, request) => {
      this.#idle.delete(socket);
      reuse(socket, request);
    };
    return agent;
  }

  /** Counts a connection whose answer has ended as not in use, unless it has to be closed. */
  #mayKeep(socket: Duplex): boolean {
    const { mostIdle } = this.#options;
    const now = performance.now();
    const since = this.#keptSince.get(socket);
    if (this.#isClosed || mostIdle === 0 || (since !== undefined && now - since >= LIFE_MS)) return false;
    if (since === undefined) {
      this.#keptSince.set(socket, now);
      socket.once('close', () => this.#idle.delete(socket));
    }
    this.#idle.add(socket);
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.size > mostIdle) {
      // At once and not when it is closed, because another answer may end before that.
      this.#idle.delete(oldest);
      oldest.destroy();
    }
    return true;
  }
}
