import { SeededRandom } from '@subrail/core/testing';

const given = process.env['PROPERTY_SEED'] ?? '12';

/** The seed of what is left to chance; one seed always decides alike. */
export const SEED = given === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(given);

const bytes = new SeededRandom(SEED);

/** A random whole number below another one. */
export const random = (below: number): number =>
  Math.floor((below * ((bytes.bytes(1)[0] ?? 0) * 256 + (bytes.bytes(1)[0] ?? 0))) / 65_536);
