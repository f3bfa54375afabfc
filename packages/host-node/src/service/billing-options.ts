import type { OpenBillingOptions } from '@subrail/adapters/node';
import { openSmtpMailer, type SmtpMailer } from '@subrail/adapters/smtp';
import { createHttpPrices, createStaticPrices } from '@subrail/adapters/web';
import type { Logger, Prices } from '@subrail/core/ports';
import { postgresOptions } from '../config/postgres-options.js';
import type { Config, DatabaseConfig } from '../config/read-config.js';
import type { Environment } from './environment.js';
import { verifiedTokens } from './verified-tokens.js';

/** The options of a service, with a mailer that its opener closes. */
export interface ServiceOptions extends OpenBillingOptions {
  readonly mailer?: SmtpMailer;
}

/** The options of a service, and of a command on its database, so that both decide alike. */
export function billingOptions(
  config: Config,
  { clock, wallClock, charger, rpc, demoToken, sealingKey, olderSealingKeys }: Environment,
  { publicUrl, logger }: { readonly publicUrl: string; readonly logger: Logger },
): ServiceOptions {
  return {
    database: databaseOptionOf(config.database),
    network: config.network,
    rpc,
    charger,
    sealingKey,
    olderSealingKeys,
    clock,
    wallClock,
    logger,
    computeUnitPrice: config.computeUnitPrice,
    packing: config.packing,
    tokens: verifiedTokens(config, demoToken, logger),
    ...pricesOf(config, logger),
    // It connects when something is sent.
    ...(config.mail === null ? {} : { mailer: openSmtpMailer(config.mail.smtp) }),
    settings: {
      serviceName: config.serviceName,
      publicUrl,
      tiers: config.tiers,
      privateTargets: config.privateTargets,
      warnBelowCharges: config.warnBelowCharges,
      chargerMayOwnPlans: config.chargerMayOwnPlans,
      mailFrom: config.mail?.from ?? null,
    },
  };
}

export function databaseOptionOf(database: DatabaseConfig): OpenBillingOptions['database'] {
  return database.kind === 'sqlite' ? database.path : postgresOptions(database);
}

/** The source of prices: the fixed prices first. None without a configured price. */
function pricesOf({ prices, priceSource }: Config, logger: Logger): { readonly prices?: Prices } {
  const source = priceSource === null ? undefined : createHttpPrices({ ...priceSource, logger });
  const isConfigured = source !== undefined || Object.keys(prices).length > 0;
  return isConfigured ? { prices: createStaticPrices(prices, source) } : {};
}
