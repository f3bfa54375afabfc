import { atNow } from '../../commits/subscription-context.js';
import { pageRequest, unknownCursor } from '../../operations/pages.js';
import { chargedBeside } from '../../operations/subscriptions/customer.js';
import type { SubscriptionFilter, SubscriptionWithPlan } from '../../ports/index.js';
import { Unavailable } from '../../ports/unavailable.js';
import type {
  Attempt,
  AttemptId,
  EventId,
  Project,
  Subscription,
  SubscriptionEvent,
  SubscriptionId,
  Transfer,
} from '../../records/index.js';
import { isCharged, isHeld } from '../../rules/running.js';
import type { Service } from '../../service.js';
import { chargeTarget } from '../../settlement/read-charge-views.js';
import { readPages, setAside } from '../read-rows.js';
import { checkOnChain } from './chain-checks.js';
import { checkProject } from './check-project.js';
import { noteSecondWallet } from './customer-notes.js';
import { checkEvents } from './event-checks.js';
import type { ExaminedSubscription } from './examined-subscription.js';
import { checkPayments } from './payment-checks.js';
import type { FindingWire, Examination, ExaminationQuery } from './schemas.js';
import { checkState } from './state-checks.js';

const EVERYTHING: SubscriptionFilter = {
  id: null,
  address: null,
  wallet: null,
  externalId: null,
  email: null,
  planId: null,
  status: null,
  late: null,
  blocked: null,
  failing: null,
  ending: null,
};
/** More transfers than a subscription that is charged hourly for a year has. */
const MOST_TRANSFERS = 10_000;
const PAGE = 100;

/**
 * Examines a part of a project, newest subscriptions first: the invariants of the records, and the running
 * subscriptions against the chain (management#doctor). Changes nothing. The first part examines the project
 * as a whole too.
 */
export async function examine(
  service: Service,
  project: Project,
  query: ExaminationQuery,
): Promise<Examination> {
  const request = pageRequest<SubscriptionId>(query);
  const now = service.clock.now();
  const part = await service.store.searchSubscriptions(project.id, EVERYTHING, now, request);
  if (part === 'unknown_cursor') throw unknownCursor();
  const ofProject =
    request.startingAfter === null ? await checkProject(service, project) : { findings: [], notes: [] };
  const findings: FindingWire[] = [...ofProject.findings];
  const notes: FindingWire[] = [...ofProject.notes];
  const aside = [...part.unreadable];
  const readable: ExaminedSubscription[] = [];
  for (const row of part.found) {
    await readExamined(service, project, row).then(
      (examined) => void readable.push(examined),
      (error: unknown) => {
        // A store that cannot serve now says nothing about a row.
        if (error instanceof Unavailable) throw error;
        aside.push({ id: row.subscription.id, error });
      },
    );
  }
  findings.push(...setAside(service, aside, 'A subscription was not examined').map(unreadable));
  for (const one of readable) {
    findings.push(...checkState(one), ...checkPayments(one), ...checkEvents(one));
    notes.push(...noteSecondWallet(one));
  }
  const compared = await compareWithChain(service, readable);
  return {
    examined: part.found.length + part.unreadable.length,
    findings: [...findings, ...compared.findings],
    notes,
    not_compared: compared.unanswered,
    next: part.next,
  };
}

function unreadable(id: string): FindingWire {
  return {
    check: 'rows_can_be_read',
    rows: [id],
    what: 'A row cannot be read: it is damaged, or a newer release wrote it. Nothing is charged for it meanwhile.',
    remedy: 'Read the log for the column, and mend the row or restore it from a backup.',
  };
}

async function readExamined(
  service: Service,
  project: Project,
  { subscription, plan }: SubscriptionWithPlan,
): Promise<ExaminedSubscription> {
  const { store } = service;
  const { id } = subscription;
  const [{ rows: attempts }, transfers, { rows: events }, beside] = await Promise.all([
    readPages<Attempt, AttemptId>(PAGE, (page) => store.listAttempts(id, page)),
    store.listTransfers(id, MOST_TRANSFERS),
    readPages<SubscriptionEvent, EventId>(PAGE, (page) =>
      store.listEvents(project.id, new Date(0), { type: null, subscriptionId: id }, page),
    ),
    chargedBeside(service, plan, subscription),
  ]);
  return {
    subscription,
    at: atNow(service, { project, plan }),
    attempts: attempts.toReversed(),
    transfers: transfers.toReversed(),
    heldByOpenChange: await heldByOpenChange(service, subscription),
    chargedBeside: beside,
    landedElsewhere: await landedElsewhere(service, attempts, transfers),
    events: events.toSorted((one, other) => one.sequence - other.sequence),
  };
}

/** Whether the change that holds a subscription is pending and may still land; null without a hold. */
async function heldByOpenChange({ store }: Service, subscription: Subscription): Promise<boolean | null> {
  const { projectId, replacedById } = subscription;
  if (replacedById === null || !isHeld(subscription)) return null;
  const change = await store.findSubscription(projectId, replacedById);
  return change?.status === 'pending' && (await store.findOpenTransfer(replacedById)) !== null;
}

/** The signatures of paid attempts whose transfer belongs to another subscription, and landed. */
async function landedElsewhere(
  { store }: Service,
  attempts: readonly Attempt[],
  transfers: readonly Transfer[],
): Promise<ReadonlySet<string>> {
  const own = new Set(transfers.map(({ signature }) => signature));
  const others = attempts.flatMap(({ signature }) =>
    signature === null || own.has(signature) ? [] : [signature],
  );
  const elsewhere = await Promise.all(others.map((signature) => store.findTransferBySignature(signature)));
  return new Set(elsewhere.flatMap((one) => (one?.state === 'landed' ? [one.signature] : [])));
}

async function compareWithChain({ chain }: Service, examined: readonly ExaminedSubscription[]) {
  const running = examined.filter(({ subscription: { status } }) => isCharged(status));
  if (running.length === 0) return { findings: [], unanswered: 0 };
  const targets = running.map(({ subscription, at }) => chargeTarget(at.plan, subscription.wallet));
  const answers = await chain.readCharges(targets, 'finalized');
  const findings = running.flatMap((one, index) => {
    const answer = answers[index];
    return answer?.ok === true ? checkOnChain(one, answer.value) : [];
  });
  return { findings, unanswered: running.filter((_, index) => answers[index]?.ok !== true).length };
}
