/** Tests that are left out or run alone: a suite that skips a test still looks green. */
export const NO_FOCUSED_TESTS = [
  {
    selector:
      'CallExpression[callee.object.name=/^(it|test|describe|suite)$/][callee.property.name=/^(only|skip|skipIf|runIf|todo|fails)$/]',
    message: 'Every test runs: no only, no skip, no todo.',
  },
];

const PURE =
  'Rules and transitions are synchronous and pure: move what waits into an operation or the worker.';

/** Promises, which the folders of pure functions may not use: their result depends on records and an instant alone. */
export const NO_PROMISES = [
  {
    selector: ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)[async=true]',
    message: PURE,
  },
  { selector: "Identifier[name='Promise']", message: PURE },
];
