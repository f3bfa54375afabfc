// What core may not reach for by itself. Time, randomness, signing and the network come through ports, so that the
// whole service can run in a seeded simulation and a charge can be replayed to the millisecond.

import { PACKAGES } from '../import-table.mjs';

/** Names of the platform that core may not touch, each with the port that stands in for it. */
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
    message: 'Core knows no host: it runs wherever JavaScript runs.',
  })),
  ...['globalThis', 'self'].map((name) => ({
    name,
    message: 'The global object is a way around every other ban.',
  })),
  { name: 'console', message: 'Core speaks through the Logger port.' },
];

export const CORE_PROPERTIES = [
  { object: 'Date', property: 'now', message: 'The present comes from the Clock port.' },
  { object: 'Math', property: 'random', message: 'Randomness comes from the Random port.' },
  { object: 'AbortSignal', property: 'timeout', message: 'Waiting comes from the Clock port.' },
];

const LOCAL_TIME =
  '(get|set)(FullYear|Year|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds|TimezoneOffset)';

export const CORE_SYNTAX = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The present comes from the Clock port.',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'The present comes from the Clock port.',
  },
  {
    selector: 'VariableDeclarator[init.name=/^(Date|Math|AbortSignal)$/]',
    message: 'An alias would hide the present or randomness from the reader and from this linter.',
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
    message: 'Core is loaded whole: what it imports stands at the top of the file.',
  },
];

const { modules } = PACKAGES.core;
const ALLOWED = modules.map((name) => `${name}(/|$)`).join('|');

export const CORE_IMPORTS = {
  patterns: [
    {
      regex: `^(?!\\.{1,2}/|${ALLOWED})`,
      message: `Core imports itself and ${modules.join(', ')}; all else comes through ports.`,
    },
  ],
};
