import type { Endpoint, EndpointId, PlanId, ProjectId } from '../../records/index.js';
import type { AlertKind } from '../../ports/index.js';
import { isWithin } from '../../ports/is-within.js';
import type { Service } from '../../service.js';
import { ENDPOINT_ENDINGS } from '../../service/alert-kinds.js';
import type { AwaitingRefill } from '../charges/awaiting-refill.js';
import { watchEndpointStates } from './endpoint-states.js';

/** How often the charger's balance is read, and how soon again when unread, empty, or too low. */
const CHARGER_MS = 5 * 60_000;
const CHARGER_AGAIN_MS = 30_000;

/** How often a plan that does not list the charger is read again. */
const PLANS_MS = 10 * 60_000;

/** How often an endpoint in alert is read again. */
const ENDPOINTS_MS = 60_000;

/** How often all endpoints are read for what has become of them. */
const ENDPOINT_STATES_MS = 10 * 60_000;

/** How often the sealing key is checked: it is wrong from a start on, or once another host seals. */
const SEALING_KEY_MS = 3_600_000;

/**
 * Makes the pass that sees alerts before they cost money (alerts#watch): the charger's balance, the chain's
 * servers, the endpoints, the sealing key, and the alerts that are over. Most calls read nothing.
 */
export function createWatchPass(
  service: Service,
  awaitingRefill: AwaitingRefill,
  checkSealingKey: () => Promise<unknown>,
): () => Promise<void> {
  let charger: Awaited<ReturnType<typeof watchCharger>> = 'unread';
  const reads = [
    every(
      service,
      () => (charger === 'pays' && awaitingRefill.isEmpty ? CHARGER_MS : CHARGER_AGAIN_MS),
      async () => {
        charger = await watchCharger(service, awaitingRefill);
      },
    ),
    every(
      service,
      () => PLANS_MS,
      () => watchPlans(service),
    ),
    every(
      service,
      () => ENDPOINTS_MS,
      () => watchEndpoints(service),
    ),
    every(
      service,
      () => ENDPOINT_STATES_MS,
      async () => {
        if (!service.lacks.has('ManagementStore')) await watchEndpointStates(service);
      },
    ),
    every(service, () => SEALING_KEY_MS, checkSealingKey),
  ];
  return async () => {
    watchServers(service);
    for (const readWhenDue of reads) await readWhenDue();
    // Alerts that were not seen any more end when they are listed.
    service.alerts.open();
  };
}

/** Runs `work` when the pause since its last run is over. A rejected run is repeated after half a minute. */
function every({ clock }: Service, pauseMs: () => number, work: () => Promise<unknown>): () => Promise<void> {
  let lastAt: Date | null = null;
  let failed = false;
  return async () => {
    const now = clock.now();
    const pause = failed ? Math.min(CHARGER_AGAIN_MS, pauseMs()) : pauseMs();
    if (lastAt !== null && isWithin(lastAt, pause, now)) return;
    lastAt = now;
    failed = true;
    await work();
    failed = false;
  };
}

/** Reads the charger's balance, makes due what waits for more, and returns whether it pays for a charge. */
async function watchCharger(
  { chain, clock, figures, settings, alerts }: Service,
  awaitingRefill: AwaitingRefill,
): Promise<'pays' | 'empty' | 'unread'> {
  const read = await chain.readCharger();
  if (!read.ok) return 'unread';
  const { balance, chargeFee, charges } = read.value;
  figures.setCharger(read.value, clock.now());
  const facts = {
    charger: chain.charger,
    balance: balance.toString(),
    charge_fee: chargeFee.toString(),
    charges: charges.toString(),
  };
  // An empty charger is not told of as low too.
  if (charges > 0n) alerts.over('charger_empty');
  else alerts.seen({ kind: 'charger_empty', facts });
  if (charges === 0n) return 'empty';
  if (charges < BigInt(settings.warnBelowCharges)) alerts.seen({ kind: 'charger_low', facts });
  else alerts.over('charger_low');
  await awaitingRefill.wake(balance);
  return 'pays';
}

/** Reads the plans again that do not list the charger: nothing else notices that their owners added it. */
async function watchPlans({ chain, store, alerts }: Service): Promise<void> {
  for (const { kind, facts } of alerts.open()) {
    if (kind !== 'plan_without_charger') continue;
    const plan = await store.findPlan(facts['plan'] as PlanId);
    if (plan === null) continue;
    const read = await chain.readPlan(plan.address);
    if (!read.ok) continue;
    const lists =
      read.value === null || read.value.owner === chain.charger || read.value.pullers.includes(chain.charger);
    if (lists) alerts.over(kind, plan.id);
  }
}

/** Reads the endpoints in alert again, which another process may have changed or sent to. */
async function watchEndpoints({ store, alerts }: Service): Promise<void> {
  for (const { kind, subject, facts } of alerts.open()) {
    if (subject === null || !isAboutEndpoint(kind)) continue;
    const endpoint = await store.findEndpoint(facts['project'] as ProjectId, subject as EndpointId);
    const why = whyOver(kind, endpoint);
    if (why !== null) alerts.over(kind, subject, why);
  }
}

/** Why an alert of an endpoint is over, as its record shows; null when it is not. */
function whyOver(kind: AlertKind, endpoint: Endpoint | null): string | null {
  if (endpoint === null) return ENDPOINT_ENDINGS.deleted;
  if (kind === 'endpoint_turned_off') {
    if (endpoint.enabled) return ENDPOINT_ENDINGS.enabled;
    return endpoint.disabledReason === null ? ENDPOINT_ENDINGS.disabled : null;
  }
  if (!endpoint.enabled) {
    return endpoint.disabledReason === null ? ENDPOINT_ENDINGS.disabled : ENDPOINT_ENDINGS.turnedOff;
  }
  return kind === 'endpoint_failing' && endpoint.failingSince === null
    ? ENDPOINT_ENDINGS.noLongerFails
    : null;
}

function isAboutEndpoint(kind: AlertKind): boolean {
  return kind === 'endpoint_failing' || kind === 'endpoint_cannot_sign' || kind === 'endpoint_turned_off';
}

/** Reports the servers of the chain that do not answer or have a wrong clock. */
function watchServers({ chain, alerts }: Service): void {
  const { servers, hostClockAheadSeconds } = chain.servers();
  for (const [index, { condition, aheadSeconds, calls, failures }] of servers.entries()) {
    const subject = String(index + 1);
    // When there is no other server, the chain is unavailable.
    if (condition === 'failing' && servers.length > 1)
      alerts.seen({ kind: 'server_failing', subject, facts: { calls, failures } });
    else alerts.over('server_failing', subject);
    if (condition === 'wrong_clock')
      alerts.seen({ kind: 'server_clock', subject, facts: { ahead_seconds: aheadSeconds } });
    else alerts.over('server_clock', subject);
  }
  if (hostClockAheadSeconds === null) alerts.over('host_clock');
  else alerts.seen({ kind: 'host_clock', facts: { ahead_seconds: hostClockAheadSeconds } });
}
