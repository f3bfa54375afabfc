const TESTS = '/^(it|test|describe|suite)$/';
const LEFT_OUT = '/^(only|skip|skipIf|runIf|todo|fails)$/';
const message = 'Every test runs: no only, no skip, no todo.';

/** Tests that are left out or run alone: a suite that skips a test still looks green. */
export const NO_FOCUSED_TESTS = [
  // it.skip, it.skip.each
  `MemberExpression[object.name=${TESTS}][property.name=${LEFT_OUT}]`,
  // test.concurrent.skip
  `MemberExpression[object.object.name=${TESTS}][property.name=${LEFT_OUT}]`,
  // it('…', { skip: true }, …)
  `CallExpression[callee.name=${TESTS}] > ObjectExpression > Property[key.name=${LEFT_OUT}]`,
  // it('…', ({ skip }) => skip()), it('…', (context) => context.skip())
  `CallExpression[callee.name=${TESTS}] CallExpression[callee.name="skip"]`,
  `CallExpression[callee.name=${TESTS}] CallExpression[callee.property.name="skip"]`,
].map((selector) => ({ selector, message }));
