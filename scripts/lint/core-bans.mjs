// What the sources of core may not use directly. Time, randomness, signing and the network come through
// ports, so that the whole service can run in a seeded simulation and a charge can be replayed to the
// millisecond.

import { PACKAGES } from '../import-table.mjs';

/** Globals of the platform that core may not use, each with the port to use instead. */
export const CORE_GLOBALS = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'performance'].map((name) => ({
    name,
    message: 'Time and waiting come from the Clock port.',
  })),
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
    name,
    message: 'The network is reached through ports: Chain, HttpSender, Prices, Tokens.',
  })),
  { name: 'crypto', message: 'Sealing comes from the CryptoProvider port, randomness from the Random port.' },
  ...['process', 'Buffer', 'require', 'global', 'navigator', 'location'].map((name) => ({
    name,
    message: 'Core runs wherever JavaScript runs, so it uses no global that only some platforms have.',
  })),
  ...['globalThis', 'self'].map((name) => ({
    name,
    message: 'Through the global object, code could reach everything that the other bans refuse.',
  })),
  { name: 'console', message: 'Core logs through the Logger port.' },
];

/** Properties of permitted globals that core may not use. */
export const CORE_PROPERTIES = [
  { object: 'Date', property: 'now', message: 'The current time comes from the Clock port.' },
  { object: 'Math', property: 'random', message: 'Randomness comes from the Random port.' },
  { object: 'AbortSignal', property: 'timeout', message: 'Waiting comes from the Clock port.' },
];

const CLIENT_MAY_USE = ['fetch', 'setTimeout', 'random'];

/**
 * The same bans for core's client, which may use three of them: it runs at the caller, where there are no
 * ports, and no layer of the service may import it.
 */
export const CLIENT_GLOBALS = CORE_GLOBALS.filter(({ name }) => !CLIENT_MAY_USE.includes(name));
export const CLIENT_PROPERTIES = CORE_PROPERTIES.filter(({ property }) => !CLIENT_MAY_USE.includes(property));
/**
 * The bans for the code that receives webhooks: it runs in the receiver's process, which has none of the
 * ports, so it may read the clock and use WebCrypto. The import check keeps it apart from the service.
 */
export const RECEIVER_GLOBALS = CORE_GLOBALS.filter(({ name }) => name !== 'crypto');
export const RECEIVER_PROPERTIES = CORE_PROPERTIES.filter(({ object }) => object !== 'Date');

const LOCAL_TIME =
  '(get|set)(FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)';

/** Syntax that reads the current time, the host's time zone or language, or that loads a module on demand. */
export const CORE_SYNTAX = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The current time comes from the Clock port.',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'The current time comes from the Clock port.',
  },
  {
    selector: 'VariableDeclarator[init.name=/^(Date|Math|AbortSignal)$/]',
    message: 'An alias would hide the current time or randomness from the reader and from this linter.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length>1]",
    message: "A date from its parts is in the host's time zone; use Date.UTC.",
  },
  {
    selector: `MemberExpression[property.name=/^(${LOCAL_TIME}|toLocale\\w*String)$/]`,
    message: "The host's time zone and language must not change what the service does; use the UTC methods.",
  },
  {
    selector: 'ImportExpression',
    message: 'Core is loaded as a whole: import at the top of the file.',
  },
];

const { modules } = PACKAGES.core;
const ALLOWED = modules.map((name) => `${name}(/|$)`).join('|');

/** Imports that core's row of the import table does not list. */
export const CORE_IMPORTS = {
  patterns: [
    {
      regex: `^(?!\\.{1,2}/|${ALLOWED})`,
      message: `Core imports itself and ${modules.join(', ')}; all else comes through ports.`,
    },
  ],
};
