import type { Logger } from '@subrail/core/ports';
import type { Config } from '../config/read-config.js';
import type { Tracing } from './traces.js';

/** Opens the configured traces; null without. OpenTelemetry is large, so it is loaded only here. */
export async function openTracing({ traces }: Config, logger: Logger): Promise<Tracing | null> {
  if (!traces) return null;
  const { openOtlpTracing } = await import('./otlp-tracing.js');
  const tracing = openOtlpTracing(logger);
  return {
    ...tracing,
    stop: () =>
      tracing
        .stop()
        .catch((err: unknown) => logger.warn({ err }, 'The last traces could not be sent to the collector.')),
  };
}
