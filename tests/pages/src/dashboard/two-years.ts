import { DAY, MINUTE, PRICE, type TestWorld } from '@subrail/test-world';

/** The customers of a project that has existed for two years. */
const CUSTOMERS = 8;

/** The months in which a charge is rejected, or a retry is due. */
const LATE_MONTHS = [6, 7, 9, 10, 23];

export const HOSTILE_NAME = '<img src=x onerror=alert(1)>';

/**
 * Plays two years of a project: a customer comes each quarter, most pay every month, one is won back by a
 * retry, one is lost, one comes back, one cancels, and one is late at the end.
 */
export async function playTwoYears(world: TestWorld): Promise<void> {
  const wallets = [];
  for (let month = 0; month < 24; month += 1) {
    if (month % 3 === 0 && wallets.length < CUSTOMERS) {
      const number = wallets.length;
      const wallet = await world.wallet(40n * PRICE);
      wallets.push(wallet);
      await world.subscribe(wallet, number === 1 ? HOSTILE_NAME : `customer-${number}`);
    }
    const [, lost, wonBack, cancels] = wallets;
    if (month === 6 && lost !== undefined) await world.take(lost, await world.holding(lost));
    if (month === 9 && wonBack !== undefined) await world.take(wonBack, await world.holding(wonBack));
    if (month === 10 && wonBack !== undefined) await world.give(wonBack, 30n * PRICE);
    if (month === 15 && cancels !== undefined) await (await world.outside(cancels)).cancel();
    const late = wallets[5];
    if (month === 23 && late !== undefined) await world.take(late, await world.holding(late));
    // Retries come a day apart, in the months in which somebody is late.
    for (const days of LATE_MONTHS.includes(month) ? [26, 1, 1, 1, 1] : [26, 4]) {
      world.advance(days * DAY);
      await world.work();
      if (month !== 12 || days !== 26 || lost === undefined) continue;
      await world.give(lost, 30n * PRICE);
      await world.subscribe(lost, HOSTILE_NAME);
    }
  }
  world.advance(DAY + MINUTE);
  await world.work();
}
