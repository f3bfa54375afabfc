// Vitest runs this before each test file. With one seed the properties of a run check the same values as
// those of any other.

import fc from 'fast-check';

const given = process.env['PROPERTY_SEED'] ?? '20261002';
if (!/^(random|-?\d{1,10})$/.test(given)) {
  throw new Error(`Expected PROPERTY_SEED to be a whole number, or random; found "${given}".`);
}
// Without a seed fast-check takes another one each time. It prints the seed of a property that fails.
fc.configureGlobal(given === 'random' ? {} : { seed: Number(given) });
