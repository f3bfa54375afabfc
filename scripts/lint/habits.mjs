/** A test left out is a promise nobody keeps. */
export const NO_FOCUSED_TESTS = [
  {
    selector:
      'CallExpression[callee.object.name=/^(it|test|describe|suite)$/][callee.property.name=/^(only|skip|skipIf|runIf|todo|fails)$/]',
    message: 'Every test runs: no only, no skip, no todo.',
  },
];

/** Rules are functions of records and an instant: they wait for nothing. */
export const NO_PROMISES = [
  {
    selector: ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)[async=true]',
    message: 'Rules are synchronous and pure.',
  },
  { selector: "Identifier[name='Promise']", message: 'Rules are synchronous and pure.' },
];
