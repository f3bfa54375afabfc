// The bans of the linter besides its own rules. Core gets time, randomness, signing and the network through
// ports, so that the whole service can run in a seeded simulation, and a charge can be replayed to the
// millisecond.

/** @type {(names: string, message: string) => { name: string, message: string }[]} */
const globals = (names, message) => names.split(' ').map((name) => ({ name, message }));

/** Globals of the platform that core may not use, each with the port to use instead. */
const CORE_GLOBALS = [
  ...globals(
    'setTimeout setInterval setImmediate queueMicrotask performance',
    'Time and waiting come from the Clock port.',
  ),
  ...globals(
    'fetch WebSocket EventSource XMLHttpRequest',
    'The network is reached through ports: Chain, HttpSender, Prices, Tokens.',
  ),
  ...globals('crypto', 'Sealing comes from the CryptoProvider port, randomness from the Random port.'),
  ...globals(
    'process Buffer require global navigator location',
    'Core runs wherever JavaScript runs, so it uses no global that only some platforms have.',
  ),
  ...globals(
    'globalThis self',
    'Through the global object, code could reach everything that the other bans refuse.',
  ),
  ...globals('console', 'Core logs through the Logger port.'),
];

/** Properties of permitted globals that core may not use. */
const CORE_PROPERTIES = [
  { object: 'Date', property: 'now', message: 'The current time comes from the Clock port.' },
  { object: 'Math', property: 'random', message: 'Randomness comes from the Random port.' },
  { object: 'AbortSignal', property: 'timeout', message: 'Waiting comes from the Clock port.' },
];

/**
 * The bans of globals and properties, without the allowed names.
 * @param {readonly string[]} allowed
 * @returns {import('oxlint').DummyRuleMap}
 */
export const coreBans = (...allowed) => ({
  'no-restricted-globals': ['error', ...CORE_GLOBALS.filter(({ name }) => !allowed.includes(name))],
  'no-restricted-properties': [
    'error',
    ...CORE_PROPERTIES.filter(
      ({ object, property }) => ![object, property].some((one) => allowed.includes(one)),
    ),
  ],
});

/** @type {(selector: string, message: string) => { selector: string, message: string }} */
const syntax = (selector, message) => ({ selector, message });

const LOCAL_TIME =
  '(get|set)(FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)';

/** Syntax that reads the current time, the host's time zone or language, or that loads a module on demand. */
export const CORE_SYNTAX = [
  syntax(
    "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date']",
    'The current time comes from the Clock port.',
  ),
  syntax(
    'VariableDeclarator[init.name=/^(Date|Math|AbortSignal)$/]',
    'An alias would hide the current time or randomness from the reader and from this linter.',
  ),
  syntax(
    "NewExpression[callee.name='Date'][arguments.length>1]",
    "A date from its parts is in the host's time zone; use Date.UTC.",
  ),
  syntax(
    `MemberExpression[property.name=/^(${LOCAL_TIME}|toLocale\\w*String)$/]`,
    "The host's time zone and language must not change what the service does; use the UTC methods.",
  ),
  syntax('ImportExpression', 'Core is loaded as a whole: import at the top of the file.'),
];

/** Promises, in the folders of functions whose result depends on records and an instant alone. */
export const NO_PROMISES = syntax(
  ":matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)[async=true], Identifier[name='Promise']",
  'Rules, mails, transitions, checks and explanations are synchronous and pure: wait in their caller.',
);

const TESTS = '/^(it|test|describe|suite)$/';
const LEFT_OUT = '/^(only|skip|skipIf|runIf|todo|fails)$/';

/** Tests that are left out or run alone: a suite that skips a test still looks green. */
export const NO_FOCUSED_TESTS = syntax(
  [
    // it.skip, it.skip.each, test.concurrent.skip
    `MemberExpression:matches([object.name=${TESTS}], [object.object.name=${TESTS}])[property.name=${LEFT_OUT}]`,
    // it('…', { skip: true }, …)
    `CallExpression[callee.name=${TESTS}] > ObjectExpression > Property[key.name=${LEFT_OUT}]`,
    // it('…', ({ skip }) => skip()), it('…', (context) => context.skip())
    `CallExpression[callee.name=${TESTS}] CallExpression:matches([callee.name="skip"], [callee.property.name="skip"])`,
  ].join(', '),
  'Every test runs: no only, no skip, no todo.',
);
