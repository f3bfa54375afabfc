import type { ManagementStore, ProjectId, SubscriptionStore } from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';
import { RUNNING, subscriptionTable } from '../tables/subscriptions.js';

type Operations = Pick<SubscriptionStore, 'listSeatsOver' | 'listParked' | 'findSeats'> &
  Pick<ManagementStore, 'listLate'>;

interface At {
  readonly projectId: ProjectId;
  readonly now: number;
}

const read = subscriptionTable.decoder();

const CONFIRMED = sql<number>`coalesce(confirmed_at, created_at)`;

const BEGIN = { at: Number.MIN_SAFE_INTEGER, confirmed: Number.MIN_SAFE_INTEGER, wallet: '', id: '' };

/** Which seats a project parks and returns, and its late subscriptions, which a change of tier touches. */
export function seatReads(db: Handle): (handle: Handle) => Operations {
  const ofProject = (projectId: ProjectId) =>
    db.selectFrom('subscriptions').where('subscriptions.project_id', '=', projectId);
  /** Unparked subscriptions: they hold a seat, or held one until their cancellation took effect. */
  const unparked = (projectId: ProjectId) =>
    ofProject(projectId).where('status', 'in', RUNNING).where('paused_at', 'is', null);
  const seated = ({ projectId, now }: At) =>
    unparked(projectId).where((row) =>
      row.or([row('status', '<>', sql.lit('cancelled')), row('cancellation_expires_at', '>', now)]),
    );

  const seatsUpTo = (values: At & { most: number }) =>
    db
      .selectFrom(seated(values).select('wallet').distinct().limit(values.most).as('counted'))
      .select(({ fn }) => fn.countAll<number>().as('seats'));
  const countSeats = prepare(seatsUpTo);
  const listSeatsOver = prepare(
    (values: At & { seats: number; limit: number }) => {
      const seats = seated(values)
        .select(['wallet', sql<number>`min(${CONFIRMED})`.as('since')])
        .groupBy('wallet');
      const place = sql<number>`row_number() over (order by since, wallet)`;
      const placed = db.selectFrom(seats.as('seats')).select(['wallet', place.as('place')]);
      return db
        .selectFrom(placed.as('placed'))
        .select('wallet')
        .where('place', '>', values.seats)
        .orderBy('place', 'desc')
        .limit(values.limit);
    },
    ({ wallet }) => wallet,
  );
  const seatOfParked = (values: At) =>
    seated(values)
      .select('subscriptions.id')
      .where(sql<SqlBool>`${sql.ref('subscriptions.wallet')} = ${sql.ref('parked.wallet')}`);
  const listParked = prepare((values: At & typeof BEGIN & { limit: number }) =>
    db
      .selectFrom('subscriptions as parked')
      .select(['id', 'wallet', 'paused_at', CONFIRMED.as('confirmed')])
      .select((row) => [
        sql<number>`case when ${row.exists(seatOfParked(values))} then 1 else 0 end`.as('has_seat'),
      ])
      .where('project_id', '=', values.projectId)
      .where('paused_at', 'is not', null)
      .where(
        sql<SqlBool>`(paused_at, ${CONFIRMED}, wallet, id) > (${values.at}, ${values.confirmed}, ${values.wallet}, ${values.id})`,
      )
      .orderBy('paused_at')
      .orderBy(CONFIRMED)
      .orderBy('wallet')
      .orderBy('id')
      .limit(values.limit),
  );
  const listLate = prepare(
    (values: Pick<At, 'projectId'> & { at: number; id: string; limit: number }) =>
      ofProject(values.projectId)
        .select(subscriptionTable.selection())
        .where('status', '=', sql.lit('unpaid'))
        .where(sql<SqlBool>`(created_at, id) > (${values.at}, ${values.id})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(values.limit),
    read,
  );

  return (handle) => ({
    listSeatsOver: (projectId, seats, now, limit) =>
      listSeatsOver.all(handle, { projectId, seats, now: now.getTime(), limit }),
    async listParked(projectId, now, after, limit) {
      const place =
        after === null
          ? BEGIN
          : { ...after, at: after.pausedAt.getTime(), confirmed: after.confirmedAt.getTime() };
      const rows = await listParked.all(handle, { ...place, projectId, now: now.getTime(), limit });
      return rows.map(({ id, wallet, paused_at, confirmed, has_seat }) => ({
        ...{ id, wallet, pausedAt: new Date(paused_at ?? 0), confirmedAt: new Date(confirmed) },
        hasSeat: has_seat === 1,
      }));
    },
    async findSeats(projectId, wallets, now, most) {
      const count = async () =>
        (await countSeats.first(handle, { projectId, now: now.getTime(), most }))?.seats ?? 0;
      if (wallets.length === 0) return { subscriptions: [], seats: await count() };
      // Each half has an index without the checkouts of these wallets, which anyone can create.
      const parked = ofProject(projectId).where('status', 'in', RUNNING).where('paused_at', 'is not', null);
      const ofWallets = (half: typeof parked) =>
        half.select(['subscriptions.id', 'wallet']).where('wallet', 'in', wallets);
      // Ordered by wallet, else SQLite would search all that runs in the project.
      const found = ofWallets(unparked(projectId)).unionAll(ofWallets(parked)).orderBy('wallet').as('asked');
      const rows = await handle
        .selectFrom('subscriptions')
        .select(subscriptionTable.selection())
        .select(seatsUpTo({ projectId, now: now.getTime(), most }).as('seats'))
        .where('id', 'in', db.selectFrom(found).select('asked.id'))
        .execute();
      const [first] = rows;
      return {
        subscriptions: rows.map(read),
        seats: first === undefined ? await count() : (first.seats ?? 0),
      };
    },
    listLate(projectId, after, limit) {
      const place = { at: after?.createdAt.getTime() ?? BEGIN.at, id: after?.id ?? '' };
      return listLate.all(handle, { projectId, ...place, limit });
    },
  });
}
