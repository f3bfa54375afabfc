/**
 * Registers one test with the test runner in use. The `test` and `it` functions of every common runner fit (Vitest,
 * Jest, Mocha, `node:test`), so that a conformance kit depends on none of them.
 */
export type TestFunction = (name: string, body: () => Promise<void>) => unknown;
