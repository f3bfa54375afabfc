import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** A connection closes after its first answer beyond this, so that a name that moves is looked up again. */
const LIFE_MS = 60_000;

/**
 * The time for one address of several before the next is tried. The 250 ms of Node are too short across an
 * ocean.
 */
const NEXT_ADDRESS_MS = 1_000;

export interface ConnectionOptions {
  /** The time for which an idle connection stays open. */
  readonly idleMs: number;
  /** The most idle connections, over all origins. */
  readonly mostIdle: number;
  /** Trusted authorities, in place of those of Node. */
  readonly ca?: string;
}

export interface Agents {
  readonly plain: PlainAgent;
  readonly tls: TlsAgent;
}

/** The connections of one sender. Idle ones keep no process alive. */
export class Connections {
  /** Agents that reuse connections. */
  readonly kept: Agents;
  /** Agents with a connection for each request. */
  readonly fresh: Agents;
  readonly #options: ConnectionOptions;
  /** Idle connections, the longest idle first. */
  readonly #idle = new Set<Duplex>();
  readonly #keptSince = new WeakMap<Duplex, number>();
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { idleMs, ca } = options;
    const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS };
    const trusted: AgentOptions = ca === undefined ? {} : { ca };
    // The last used is reused first, so that surplus connections run out.
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

  /** Closes idle connections; those in use close when their answer ends. */
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

  /** Marks a connection as idle after its answer, unless it has to be closed. */
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
      // At once, because another answer may end before it is closed.
      this.#idle.delete(oldest);
      oldest.destroy();
    }
    return true;
  }
}
