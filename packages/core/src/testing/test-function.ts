/**
 * Registers one test with a test runner. The `test` and `it` functions of Vitest, Jest, Mocha and `node:test`
 * fit.
 */
export type TestFunction = (name: string, body: () => Promise<void>) => unknown;
