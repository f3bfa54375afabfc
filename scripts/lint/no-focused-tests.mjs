/** Tests that are left out or run alone: a suite that skips a test still looks green. */
export const NO_FOCUSED_TESTS = [
  {
    selector:
      'CallExpression[callee.object.name=/^(it|test|describe|suite)$/][callee.property.name=/^(only|skip|skipIf|runIf|todo|fails)$/]',
    message: 'Every test runs: no only, no skip, no todo.',
  },
];
