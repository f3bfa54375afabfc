import type { Answer, ChainRefusal, ChargeView, Fate } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import { newId } from '../records/index.js';
import { decide } from '../rules/decide.js';
import type { Service } from '../service.js';
import type { Intent } from './apply-decision.js';
import { applyDecision, applySilence } from './apply-decision.js';
import { expireOthers } from './expire-others.js';
import { lookAgain } from './look.js';
import { passDates } from './pass-dates.js';
import type { Recorder } from './recorder.js';
import { createRecorder } from './recorder.js';
import { settleCharge, settleRefusal } from './resolve.js';
import { Row, chargeAsk, fateAsk } from './row.js';
import { settleCheckout } from './settle-checkout.js';

/** Subscriptions worked on together: enough to fill the chain's batches, few enough to finish well within the lease. */
const BATCH = 200;

/** How long a claimed row is out of other workers' sight. A worker that dies holds its rows no longer than this. */
const LEASE_MS = 60_000;

/** What one pass did. */
export interface ChargePass {
  readonly claimed: number;
  readonly sent: number;
}

/** A row that has to be read, and the refusal the read is to explain, if any. */
interface ToRead {
  readonly row: Row;
  readonly refusal: ChainRefusal | null;
}

/**
 * One pass over everything whose time has come: claim, look up what is under way, read, decide, store intents, send.
 * Nothing waits here for the chain to confirm: what was sent comes back by its `wakeAt`. Losing a pass, or dying in the
 * middle of one, loses nothing.
 */
export async function charge(service: Service): Promise<ChargePass> {
  let claimed = 0;
  let sent = 0;
  for (;;) {
    const batch = await service.store.claimDue(service.clock.now(), BATCH, LEASE_MS);
    if (batch.length === 0) return { claimed, sent };
    claimed += batch.length;
    sent += await work(
      service,
      batch.map((one) => new Row(service, one)),
    );
    if (batch.length < BATCH) return { claimed, sent };
  }
}

async function work(service: Service, rows: readonly Row[]): Promise<number> {
  const now = service.clock.now();
  const recorder = createRecorder(service);
  const live = guarded(service, rows, (row) => passDates(row, now));
  const underWay = live.filter((row) => row.openTransfer !== null);
  const toRead: ToRead[] = [
    ...(await lookUp(service, underWay, now)),
    ...live
      .filter((row) => row.openTransfer === null && isDue(row, now))
      .map((row) => ({ row, refusal: null })),
  ];
  const intents = await readAndDecide(service, toRead, now);
  const signed = await sign(service, intents, now);
  const fit = guarded(service, live, (row) => rest(row, now));
  const stored = await store(service, recorder, fit);
  return send(
    service,
    recorder,
    signed.filter(({ row }) => stored.has(row)),
  );
}

/** Whether the chain has to be read for a row that has nothing under way. */
function isDue({ subscription }: Row, now: Date): boolean {
  const charged = ['active', 'unpaid', 'cancelled'].includes(subscription.status);
  return charged && subscription.nextTryAt !== null && subscription.nextTryAt <= now;
}

/** Looks up every transfer under way and settles what is known; answers the rows that must be read to go on. */
async function lookUp(service: Service, rows: readonly Row[], now: Date): Promise<readonly ToRead[]> {
  const pairs = rows.flatMap((row) =>
    row.openTransfer === null ? [] : [{ row, transfer: row.openTransfer }],
  );
  if (pairs.length === 0) return [];
  const fates = await service.chain.resolve(pairs.map(({ row, transfer }) => fateAsk(transfer, row.plan)));
  const looked = pairs.map((pair, index) => ({
    ...pair,
    fate: fates[index] ?? ({ kind: 'untold' } as const),
  }));
  const landedCheckouts = looked.filter(({ row, fate }) => isCheckout(row) && fate.kind === 'landed');
  const views = await readViews(
    service,
    landedCheckouts.map(({ row }) => row),
    false,
  );

  const toRead: ToRead[] = [];
  const again: string[] = [];
  for (const { row, transfer, fate } of looked) {
    attempt(service, row, () => {
      if (isCheckout(row)) {
        settleCheckout(row, transfer, fate, views.get(row) ?? null, now);
        if (fate.kind === 'waiting') again.push(transfer.wire);
        return;
      }
      const leaves = settleCharge(row, transfer, fate, now);
      if (leaves === 'read') toRead.push({ row, refusal: refusalOf(fate) });
      if (leaves === 'send') again.push(transfer.wire);
    });
  }
  if (again.length > 0) await service.chain.send(again);
  return toRead;
}

function isCheckout(row: Row): boolean {
  return row.subscription.status === 'pending';
}

function refusalOf(fate: Fate): ChainRefusal | null {
  return fate.kind === 'failed' ? fate.refusal : null;
}

async function readViews(
  service: Service,
  rows: readonly Row[],
  finalized: boolean,
): Promise<ReadonlyMap<Row, Answer<ChargeView>>> {
  if (rows.length === 0) return new Map();
  const asks = rows.map(({ plan, subscription }) => chargeAsk(plan, subscription.wallet));
  const answers = await service.chain.readCharges(asks, finalized ? 'finalized' : 'confirmed');
  return new Map(
    rows.map((row, index) => [row, answers[index] ?? { ok: false, silence: { kind: 'transport' } }]),
  );
}

/** Reads every row in as few calls as the chain allows, and decides each purely. */
async function readAndDecide(
  service: Service,
  toRead: readonly ToRead[],
  now: Date,
): Promise<readonly Intent[]> {
  const rows = toRead.map(({ row }) => row);
  const goneBefore = (row: Row) => row.subscription.goneSince !== null;
  const [first, second] = await Promise.all([
    readViews(
      service,
      rows.filter((row) => !goneBefore(row)),
      false,
    ),
    readViews(service, rows.filter(goneBefore), true),
  ]);
  const intents: Intent[] = [];
  for (const { row, refusal } of toRead) {
    attempt(service, row, () => {
      const answer = first.get(row) ?? second.get(row);
      if (answer === undefined) return;
      if (!answer.ok) return applySilence(row, answer.silence, now);
      const view = answer.value;
      const decision = decide(row.subscription, row.plan, view, service.chain.charger, goneBefore(row));
      const intent = applyDecision(row, decision, view.time, refusal, now);
      if (intent !== null) intents.push(intent);
    });
  }
  return intents;
}

/** A signed charge whose intent is about to be stored. */
interface Signed {
  readonly row: Row;
  readonly transfer: Transfer;
}

/** Signs what is to be charged and keeps each as an intent: it is stored before anything is sent. */
async function sign(service: Service, intents: readonly Intent[], now: Date): Promise<readonly Signed[]> {
  if (intents.length === 0) return [];
  const answer = await service.chain.signCharges(intents.map(({ order }) => order));
  const signed: Signed[] = [];
  for (const [index, { row, order, periodStart }] of intents.entries()) {
    attempt(service, row, () => {
      const transaction = answer.ok ? answer.value[index] : undefined;
      if (transaction === undefined) {
        return applySilence(row, answer.ok ? { kind: 'transport' } : answer.silence, now);
      }
      const transfer: Transfer = {
        id: newId(service.random, 'trf'),
        subscriptionId: row.subscription.id,
        kind: 'charge',
        trigger: row.subscription.status === 'unpaid' ? 'retry' : 'schedule',
        signature: transaction.signature,
        wire: transaction.wire,
        amount: order.amount,
        periodStart,
        lastValidBlockHeight: transaction.lastValidBlockHeight,
        state: 'open',
        reasonCode: null,
        absentLooks: 0,
        waitRecorded: false,
        createdAt: now,
        resolvedAt: null,
      };
      row.keep(transfer);
      row.apply({ kind: 'looked', again: lookAgain(transfer, now) }, now);
      signed.push({ row, transfer });
    });
  }
  return signed;
}

/** A claimed row that nothing came of is put back to sleep until its next date; an unsigned checkout past its time expires. */
function rest(row: Row, now: Date): void {
  const { status, checkoutExpiresAt } = row.subscription;
  const unsigned = status === 'pending' && row.openTransfer === null;
  if (unsigned && checkoutExpiresAt !== null && checkoutExpiresAt <= now)
    row.apply({ kind: 'checkout_expired' }, now);
  else if (!row.changed) row.apply({ kind: 'date_passed' }, now);
}

/** Commits every row by itself: one that was moved on meanwhile is left to whoever moved it. */
async function store(service: Service, recorder: Recorder, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  const stored = new Set<Row>();
  for (const row of rows) {
    try {
      const commits = [...(await row.commits(recorder)), ...(await expireOthers(service, recorder, row))];
      if ((await service.store.commit(commits)) === 'committed') stored.add(row);
    } catch (cause) {
      service.logger.error(
        { subscription: row.subscription.id, cause },
        'A subscription could not be written; it is worked on again when its lease ends.',
      );
    }
  }
  return stored;
}

/** Sends what is stored. Only a refusal settles anything here; all else is looked up by signature. */
async function send(service: Service, recorder: Recorder, signed: readonly Signed[]): Promise<number> {
  if (signed.length === 0) return 0;
  const outcomes = await service.chain.send(signed.map(({ transfer }) => transfer.wire));
  const now = service.clock.now();
  const refused = signed.flatMap(({ row, transfer }, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'refused' ? [{ row: row.next(), transfer, refusal: outcome.refusal }] : [];
  });
  const toRead: ToRead[] = [];
  for (const { row, transfer, refusal } of refused) {
    attempt(service, row, () => {
      row.keep({ ...transfer, state: 'failed', resolvedAt: now });
      if (settleRefusal(row, transfer, refusal, now) === 'read') toRead.push({ row, refusal });
    });
  }
  await readAndDecide(service, toRead, now);
  await store(
    service,
    recorder,
    refused.map(({ row }) => row),
  );
  return signed.length - refused.length;
}

/** Runs a step for one row; a fault of it holds up no other row, and the row comes back when its lease ends. */
function attempt(service: Service, row: Row, step: () => void): void {
  try {
    step();
  } catch (cause) {
    row.abandon();
    service.logger.error(
      { subscription: row.subscription.id, cause },
      'A subscription could not be worked on; it is tried again when its lease ends.',
    );
  }
}

function guarded(service: Service, rows: readonly Row[], step: (row: Row) => void): readonly Row[] {
  for (const row of rows) attempt(service, row, () => step(row));
  return rows.filter((row) => !row.abandoned);
}
