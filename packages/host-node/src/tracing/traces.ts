import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span as Traced,
  type Tracer,
} from '@opentelemetry/api';
import type { Span, SpanEnd, Telemetry } from '@subrail/core/ports';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Traces that are sent somewhere. */
export interface Tracing {
  readonly telemetry: Telemetry;
  /** Sends what was not sent yet, and ends. Never rejects. */
  stop(): Promise<void>;
}

/** Work in progress that may contain spans. */
interface Place {
  /** The context for spans in it, which begins its trace if needed; null when it is not traced. */
  readonly begin: () => Context | null;
  /** Whether its trace has begun. */
  readonly hasBegun: () => boolean;
}

/** Work that may name its outcome. */
type Work<T> = (end: (how: SpanEnd) => void) => Promise<T>;

const NOWHERE: Place = { begin: () => null, hasBegun: () => false };

const KINDS: Partial<Record<Span['kind'], SpanKind>> = {
  request: SpanKind.SERVER,
  delivery: SpanKind.CLIENT,
  rpc: SpanKind.CLIENT,
};

/**
 * Traces the service. Requests, operations and attempts of webhooks are always traced. A run of a pass is
 * traced from its first call of the chain on, because most of several runs each second find nothing to do;
 * its calls of the store before that are not in the trace. Calls of the chain or the store outside of these
 * are not traced.
 */
export function createTraces(tracer: Tracer): Telemetry {
  const inside = new AsyncLocalStorage<Place>();

  const startIn = (context: Context, span: Span, startTime?: Date): Traced =>
    tracer.startSpan(
      nameOf(span),
      {
        kind: KINDS[span.kind] ?? SpanKind.INTERNAL,
        attributes: attributesOf(span),
        ...(startTime && { startTime }),
      },
      context,
    );

  async function traceIn<T>(context: Context, span: Span, work: Work<T>): Promise<T> {
    const begun = startIn(context, span);
    const inner = trace.setSpan(context, begun);
    const ending = { isSaid: false };
    try {
      return await inside.run({ begin: () => inner, hasBegun: () => true }, () =>
        work(({ outcome, failed, details = {} }) => {
          ending.isSaid = true;
          begun.setAttributes({ ...outcomeOf(span, outcome), ...prefixed(details) });
          if (failed) begun.setStatus({ code: SpanStatusCode.ERROR });
        }),
      );
    } catch (error) {
      // The message of an error may hold an address with a key in it.
      const message = error instanceof Error ? error.name : 'thrown';
      // A refusal is thrown too, and has said by then that nothing is wrong.
      if (!ending.isSaid) begun.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      begun.end();
    }
  }

  async function tracePass<T>(span: Span, work: Work<T>): Promise<T> {
    const pass = { since: new Date(), begun: null as Traced | null };
    const place: Place = {
      begin: () => trace.setSpan(ROOT_CONTEXT, (pass.begun ??= startIn(ROOT_CONTEXT, span, pass.since))),
      hasBegun: () => pass.begun !== null,
    };
    try {
      return await inside.run(place, () => work(() => undefined));
    } catch (error) {
      pass.begun?.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      pass.begun?.end();
    }
  }

  return {
    span(span, work) {
      if (span.kind === 'pass') return tracePass(span, work);
      const context = contextFor(span, inside.getStore() ?? NOWHERE);
      return context === null ? work(() => undefined) : traceIn(context, span, work);
    },
    late: () => undefined,
  };
}

/** The context in which a span begins; null when it is not traced. */
function contextFor({ kind }: Span, outer: Place): Context | null {
  switch (kind) {
    case 'request':
    case 'operation':
      return outer.begin() ?? ROOT_CONTEXT;
    // The pass goes on for as long as any endpoint is served, so that an attempt is a trace of its own.
    case 'delivery':
      return ROOT_CONTEXT;
    case 'store':
      return outer.hasBegun() ? outer.begin() : null;
    case 'pass':
    case 'charges':
    case 'chain':
    case 'rpc':
      return outer.begin();
  }
}

function nameOf({ kind, name }: Span): string {
  return kind === 'request' ? name : `${kind} ${name}`;
}

function attributesOf({ kind, labels = {}, details = {} }: Span): Attributes {
  if (kind !== 'request') return prefixed({ ...labels, ...details });
  return { 'http.request.method': labels['method'], 'http.route': labels['route'] };
}

function outcomeOf({ kind }: Span, outcome: string): Attributes {
  return kind === 'request'
    ? { 'http.response.status_code': Number(outcome) }
    : { 'subrail.outcome': outcome };
}

function prefixed(facts: Readonly<Record<string, string | number>>): Attributes {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`subrail.${name}`, value]));
}
