/** The variables that make tests smaller or larger, point them at something else, or have them write. */
export const CHANGE_TESTS = [
  'BEHIND_PARSER',
  'CONSUMER_RUNS',
  'CUTS',
  'ENGINE',
  'GENERATED_REQUESTS',
  'KILLS',
  'LARGE_SUBSCRIPTIONS',
  'PAGE_SCREENSHOTS',
  'PASSES',
  'SIMULATION_SEEDS',
  'SUBSCRIPTIONS_PROGRAM_ELF',
  'WRITE_SCENARIOS',
];

/** The place of the browser changes no test. */
const KEPT = 'SUBRAIL_CHROMIUM';

/** The environment of this process without what changes the tests, and without the settings of a service. */
export function plainEnvironment() {
  const changes = (/** @type {string} */ name) =>
    CHANGE_TESTS.includes(name) || (name.startsWith('SUBRAIL_') && name !== KEPT);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !changes(name)));
}
