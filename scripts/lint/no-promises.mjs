const PURE = 'Rules, transitions, checks and explanations are synchronous and pure: wait in their caller.';

/**
 * Promises, which the folders of pure functions may not use: their result depends on records and an instant
 * alone.
 */
export const NO_PROMISES = [
  {
    selector: ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)[async=true]',
    message: PURE,
  },
  { selector: "Identifier[name='Promise']", message: PURE },
];
