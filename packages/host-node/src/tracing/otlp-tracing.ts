import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '@subrail/core/ports';
import { VERSION } from '../version.js';
import { createTraces, type Tracing } from './traces.js';

/**
 * Sends traces to the collector that the standard variables of OpenTelemetry name. They also name the
 * headers, the service, the sampler and the limits.
 */
export function openOtlpTracing(logger: Logger): Tracing & { readonly flush: () => Promise<void> } {
  const service = resourceFromAttributes({ 'service.name': 'subrail', 'service.version': VERSION });
  const provider = new BasicTracerProvider({
    resource: service.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reporting(new OTLPTraceExporter(), logger))],
  });
  return {
    telemetry: createTraces(provider.getTracer('subrail', VERSION)),
    flush: () => provider.forceFlush(),
    stop: () => provider.shutdown(),
  };
}

/** The code of an accepted export. */
const SUCCESS = 0;

/** Warns when traces begin to be lost, which nobody else would notice. */
function reporting(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        const failed = code !== SUCCESS;
        if (failed && !isFailing)
          logger.warn(
            { spans: spans.length },
            'Traces could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, and are lost until it accepts them again.',
          );
        if (!failed && isFailing) logger.info({}, 'The collector accepts traces again.');
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
