import * as z from 'zod';

import { createBusinessFigures } from './billing/business-figures.js';
import { readMetrics, type Metrics } from './billing/metrics.js';
import { emailInput, PublicUrl, ServiceName } from './contract/inputs.js';
import { TIERS } from './contract/tiers.js';
import { read } from './contract/validation-messages.js';
import type { AlertNotifier, Mailer } from './ports/index.js';
import type { FetchHandler } from './http/fetch-handler.js';
import { createHandler, type HandlerOptions } from './http/handler.js';
import {
  projectFunctions,
  serviceFunctions,
  type ProjectBilling,
  type ServiceFunctions,
} from './billing/functions.js';
import { allTokens } from './operations/plans/known-tokens.js';
import { createMailPass } from './outbox/mail-pass.js';
import { requirePorts, type RequiredPorts } from './required-ports.js';
import type { Service } from './service.js';
import { createChainCheck } from './service/check-chain.js';
import { checkedChain } from './service/checked-chain.js';
import { Figures } from './service/figures.js';
import { FixedWindows } from './service/fixed-windows.js';
import { InTurn } from './service/in-turn.js';
import { Losses } from './service/losses.js';
import { measuredStore } from './service/measured-store.js';
import { NO_PRICES } from './service/no-prices.js';
import { NO_TELEMETRY } from './service/no-telemetry.js';
import { completeStore } from './service/store-capabilities.js';
import { createAlerts } from './service/alerts.js';
import { watchedChain } from './service/watched-chain.js';
import { createLookups } from './settlement/create-lookups.js';
import { createSealingKeyCheck } from './webhooks/sealing-key.js';
import { isPrivateTarget, PRIVATE_TARGET_FORMS } from './webhooks/webhook-targets.js';
import { createWorker, type BillingWorker } from './worker/worker.js';

export type { ProjectBilling };

/**
 * The ports and settings of `createBilling`. Functions that need a capability which the store lacks answer
 * `not_supported`. Without `tokens`, only well-known tokens are verified; without `prices`, plans have no
 * price in dollars; without `logger`, nothing is logged; without `alertNotifier`, alerts are only logged and
 * shown; without `telemetry`, nothing is measured or traced; without `mailer`, customers get no mails.
 * Without `wallClock`, webhooks and mails go by `clock`: pass it when `clock` may be moved.
 */
export type BillingPorts = RequiredPorts &
  Partial<Pick<Service, 'tokens' | 'prices' | 'logger' | 'wallClock' | 'telemetry'>> & {
    /** Tells the operator of alerts on the service's own side. */
    readonly alertNotifier?: AlertNotifier;
    /** Sends mails to customers. It needs the setting `mailFrom`. */
    readonly mailer?: Mailer | null;
    readonly settings?: Partial<Service['settings']>;
    /**
     * The caller's name in the audit log, such as `alice`. Without it, only changes through management are
     * logged, under `process`; with it, changes through the contract's functions too.
     */
    readonly actor?: string | null;
    /** How `billing.handler` is mounted. */
    readonly handler?: HandlerOptions;
  };

/** The whole service as functions. Each validates its input, and throws a `ServiceError` when it refuses. */
export interface Billing extends ServiceFunctions {
  /** The ports and settings that everything runs on. */
  readonly service: Service;
  /**
   * The functions of one project. Nothing is read until one of them is called.
   *
   * @example
   * const shop = billing.project(projectId);
   * const { access } = await shop.access.check({ external_id: 'customer-42', plan: 'pro' });
   */
  project(projectId: string): ProjectBilling;
  /**
   * The work that time makes due. Nothing is charged and no webhook is sent unless it runs.
   *
   * @example
   * const stop = new AbortController();
   * process.once('SIGTERM', () => stop.abort());
   * await billing.worker.run({ signal: stop.signal });
   */
  readonly worker: BillingWorker;
  /**
   * Checks whether the sealing key, or an older one, opens stored signing secrets of webhooks. Call it at
   * start: with a `wrong` key no webhook leaves. It logs a wrong key as an error, and never rejects. The
   * worker checks every hour, and `/health` reports it. `ok` and `wrong` hold for ten seconds.
   */
  checkSealingKey(): Promise<'ok' | 'wrong' | 'unused' | 'unknown'>;
  /**
   * Checks whether the chain is the one of the stored records; the first check of a new database stores it.
   * Call it at start. `unknown`: the chain does not answer. Each call checks again until it does, and until
   * then nothing is read from it or charged on it. Plans that do not list the charger are logged.
   *
   * @throws WrongChain with a sentence for the operator, when it is another chain or another network
   * @example
   * if ((await billing.checkChain()) === 'unknown') console.warn('The chain does not answer yet.');
   */
  checkChain(): Promise<'ok' | 'unknown'>;
  /**
   * Reads the figures of this process, for a system of metrics: attempts by outcome and reason, overdue work,
   * calls of the chain, the charger's balance, what projects earn, alerts. Never rejects.
   *
   * @example
   * const { charger, alerts } = await billing.metrics();
   * console.log(`${charger?.charges} charges left`, alerts.map(({ key }) => key));
   */
  metrics(): Promise<Metrics>;
  /**
   * Serves the contract over HTTP: a function from a fetch Request to a Response.
   *
   * @example
   * export default { fetch: billing.handler };
   */
  readonly handler: FetchHandler;
}

/**
 * Creates the service from its ports. Throws a TypeError that names a port that is missing or lacks a method,
 * a capability of which the store has a part, or a setting that is unknown or cannot be used.
 *
 * @example
 * import { createCrypto } from '@subrail/adapters/node';
 * import { createBilling } from '@subrail/core';
 *
 * const crypto = createCrypto(sealingKey);
 * const billing = createBilling({ store, chain, clock, random, crypto, sender });
 */
export function createBilling(ports: BillingPorts): Billing {
  requirePorts(ports);
  const unchecked = serviceOf(ports);
  const { store, logger, alerts } = unchecked;
  const watched = watchedChain(unchecked.chain, unchecked);
  const findChain = createChainCheck({ store, chain: watched, logger, alerts });
  const chain = checkedChain(watched, findChain);
  const service = { ...unchecked, chain, lookups: createLookups({ ...unchecked, chain }) };
  const checkChain = async () => {
    const check = await findChain();
    if (check.state === 'wrong') throw check.error;
    return check.state;
  };
  const findSealingKey = createSealingKeyCheck(service);
  const checkSealingKey = async () => {
    const state = await findSealingKey();
    if (state === 'wrong') alerts.seen({ kind: 'sealing_key_wrong' });
    if (state === 'ok') alerts.over('sealing_key_wrong');
    return state;
  };
  const worker = createWorker(service, checkSealingKey, createMailPass(service));
  const readBusiness = createBusinessFigures(service);
  return {
    service,
    ...serviceFunctions(service),
    project: projectFunctions(service),
    worker,
    checkSealingKey,
    checkChain,
    metrics: () => readMetrics(service, worker, readBusiness),
    handler: createHandler({ service, worker, checkSealingKey, checkChain }, ports.handler),
  };
}

const SILENT: Service['logger'] = { debug() {}, info() {}, warn() {}, error() {} };

const SettingsInput = z.object({
  serviceName: ServiceName.default('Subrail'),
  publicUrl: PublicUrl.default('http://localhost:3000'),
  tiers: z.custom<Service['settings']['tiers']>().default(TIERS),
  warnBelowCharges: z.int().min(0).default(1_000),
  chargerMayOwnPlans: z.boolean({ error: 'must be true or false' }).default(true),
  mailFrom: emailInput.nullable().default(null),
  privateTargets: z
    .union([z.boolean(), z.array(z.string().refine(isPrivateTarget, `must be ${PRIVATE_TARGET_FORMS}`))], {
      error: 'must be true, false, or a list of hosts and address blocks',
    })
    .default(false),
});

function serviceOf({
  settings,
  handler: _handler,
  tokens,
  alertNotifier,
  actor,
  mailer: givenMailer = null,
  ...ports
}: BillingPorts): Omit<Service, 'lookups'> {
  const unknown = Object.keys(settings ?? {}).find((name) => !(name in SettingsInput.shape));
  if (unknown !== undefined) {
    const settingNames = Object.keys(SettingsInput.shape).join(', ');
    throw new TypeError(`createBilling has no setting "${unknown}". Its settings are: ${settingNames}.`);
  }
  const checked = read(SettingsInput, settings ?? {});
  if ('sentences' in checked)
    throw new TypeError(`The settings of createBilling: ${checked.sentences.join(' ')}`);
  if ((givenMailer === null) !== (checked.value.mailFrom === null))
    throw new TypeError(
      'createBilling needs the port "mailer" and the setting "mailFrom" together: give both, or neither for no mails.',
    );
  const { clock, wallClock = clock, logger = SILENT, telemetry = NO_TELEMETRY } = ports;
  // A call of a missing capability is not measured as a call or a failure of the store.
  const measured = ports.telemetry === undefined ? ports.store : measuredStore(ports.store, telemetry);
  const { store, lacks } = completeStore(measured, logger);
  // Each mail has a link, which is a session.
  const sendsMails = !lacks.has('MailStore') && !lacks.has('SessionStore');
  if (ports.chain.network === 'mainnet-beta' && settings?.publicUrl === undefined)
    logger.warn(
      { cancel_at: checked.value.publicUrl },
      'The setting publicUrl is missing. The terms that wallets sign name it as the place to cancel, for every project without a cancel_url.',
    );
  return {
    tokens: allTokens(tokens, { network: ports.chain.network, clock, logger }),
    prices: NO_PRICES,
    ...ports,
    telemetry,
    store,
    lacks,
    wallClock,
    logger,
    actor: actor ?? null,
    mailer: sendsMails ? givenMailer : null,
    settings: sendsMails ? checked.value : { ...checked.value, mailFrom: null },
    alerts: createAlerts({ clock, logger, alertNotifier: alertNotifier ?? null }),
    figures: new Figures(),
    losses: new Losses(clock),
    linkCheckouts: new InTurn(wallClock),
    testMails: new FixedWindows(wallClock),
  };
}
