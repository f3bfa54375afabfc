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
import type { Span, Telemetry } from '@subrail/core';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Something that is going on, in which spans may be. */
interface Place {
  /** The context of the spans in it; begins it if it has not begun, and null when it is not traced. */
  readonly begin: () => Context | null;
  /** Whether it has begun. */
  readonly hasBegun: () => boolean;
}

const NOWHERE: Place = { begin: () => null, hasBegun: () => false };

const KINDS: Partial<Record<Span['kind'], SpanKind>> = {
  request: SpanKind.SERVER,
  delivery: SpanKind.CLIENT,
  rpc: SpanKind.CLIENT,
};

/**
 * Traces what the service does. A request, an operation and an attempt of a webhook are traced always. A run of a pass is traced
 * from its first call of the chain on, because most runs find nothing to do and there are several each second; what a pass asks the
 * store before is not in its trace. A call of the chain or of the store on nobody's behalf is not traced.
 */
export function createTraces(tracer: Tracer): Telemetry {
  const inside = new AsyncLocalStorage<Place>();

  /** Does the work as a span, and ends it. */
  const traced = <T>(
    span: Span,
    begun: Traced,
    place: Place,
    work: Parameters<Telemetry['span']>[1],
  ): Promise<T> =>
    inside.run(place, async () => {
      try {
        return (await work(({ outcome, failed, details = {} }) => {
          begun.setAttributes({ ...outcomeOf(span, outcome), ...prefixed(details) });
          if (failed) begun.setStatus({ code: SpanStatusCode.ERROR });
        })) as T;
      } catch (error) {
        // The message of an error may hold an address with a key in it.
        begun.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'thrown',
        });
        throw error;
      } finally {
        begun.end();
      }
    });

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

  async function tracedPass<T>(span: Span, work: Parameters<Telemetry['span']>[1]): Promise<T> {
    const began = new Date();
    let begun: Traced | null = null;
    const place: Place = {
      begin: () => trace.setSpan(ROOT_CONTEXT, (begun ??= startIn(ROOT_CONTEXT, span, began))),
      hasBegun: () => begun !== null,
    };
    const started = () => begun as Traced | null;
    try {
      return (await inside.run(place, () => work(() => undefined))) as T;
    } catch (error) {
      started()?.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      started()?.end();
    }
  }

  return {
    span(span, work) {
      if (span.kind === 'pass') return tracedPass(span, work);
      const outer = inside.getStore() ?? NOWHERE;
      const context = contextFor(span, outer);
      if (context === null) return work(() => undefined);
      const begun = startIn(context, span);
      const inner = trace.setSpan(context, begun);
      return traced(span, begun, { begin: () => inner, hasBegun: () => true }, work);
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
