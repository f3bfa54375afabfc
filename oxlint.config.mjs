import { CORE_SYNTAX, coreBans, NO_FOCUSED_TESTS, NO_PROMISES } from './scripts/bans.mjs';

/** The tests of a package: `.test.ts` files and folders of tests. */
const TESTS = ['packages/*/src/**/*.test.ts', 'packages/*/src/**/tests/**/*.ts'];

/** The rule that refuses syntax by selectors comes from a plugin. */
const NO_SYNTAX = 'eslint-js/no-restricted-syntax';

/** @type {(prefix: string, names: string) => Record<string, 'error'>} */
const errors = (prefix, names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [prefix + name, 'error']),
  );

/** @type {import('oxlint').OxlintConfig} */
export default {
  plugins: ['typescript'],
  jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // scripts/examples declares the names of examples, which only the check of examples may see.
  ignorePatterns: ['**/dist/', 'tests/apps/', 'coverage/', '**/.subrail/', 'scripts/examples/'],
  categories: { correctness: 'error' },
  rules: {
    ...errors(
      '',
      `
      getter-return no-array-constructor no-case-declarations no-empty no-fallthrough
      no-misleading-character-class no-prototype-builtins no-regex-spaces no-unexpected-multiline
      no-unreachable no-useless-assignment no-useless-constructor no-var prefer-const
      prefer-rest-params prefer-spread preserve-caught-error`,
    ),
    ...errors(
      'typescript/',
      `
      consistent-type-exports consistent-type-imports no-deprecated no-dynamic-delete
      no-empty-object-type no-explicit-any no-extraneous-class no-generated-empty-object-type
      no-import-type-side-effects no-invalid-void-type no-misused-promises no-mixed-enums
      no-namespace no-non-null-asserted-nullish-coalescing no-non-null-assertion no-require-imports
      no-unnecessary-boolean-literal-compare no-unnecessary-condition
      no-unnecessary-template-expression no-unnecessary-type-arguments no-unnecessary-type-assertion
      no-unnecessary-type-constraint no-unnecessary-type-conversion no-unnecessary-type-parameters
      no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-enum-comparison
      no-unsafe-function-type no-unsafe-member-access no-unsafe-return only-throw-error
      prefer-literal-enum-member prefer-promise-reject-errors prefer-reduce-type-parameter
      prefer-return-this-type related-getter-setter-pairs unified-signatures
      use-unknown-in-catch-callback-variable`,
    ),
    // A type may have the name of a constant; for anything else, TypeScript refuses two declarations.
    'no-redeclare': 'off',
    // Text sorts by code units, as it should; numbers are sorted with a function, or the order shows in a
    // test.
    'typescript/require-array-sort-compare': 'off',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // The formatter ends code at 110 columns, and leaves comments alone.
    'eslint-js/max-len': ['error', { code: 1_300, comments: 110 }],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/no-confusing-void-expression': [
      'error',
      { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
    ],
  },
  overrides: [
    {
      files: ['**/*.mjs', '**/*.js'],
      rules: {
        // In JavaScript a cast is a comment, which these two cannot see.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      files: ['packages/*/src/**/*.ts'],
      excludeFiles: TESTS,
      rules: { 'max-lines': ['error', { max: 400 }] },
    },
    {
      files: [
        ...TESTS,
        'packages/*/bench/**/*.ts',
        'examples/*/src/**/*.ts',
        'tests/*/src/**/*.ts',
        'scripts/test/**/*.ts',
        'deploy/tests/**/*.ts',
      ],
      rules: { [NO_SYNTAX]: ['error', NO_FOCUSED_TESTS] },
    },
    {
      files: ['packages/core/src/**/*.ts'],
      excludeFiles: ['packages/core/src/testing/**', ...TESTS],
      rules: { ...coreBans(), [NO_SYNTAX]: ['error', ...CORE_SYNTAX] },
    },
    {
      // The client runs at the caller, where there are no ports, and no layer of the service imports it.
      files: ['packages/core/src/client/**/*.ts'],
      excludeFiles: TESTS,
      rules: coreBans('fetch', 'setTimeout', 'random'),
    },
    {
      // The receiver of webhooks has no ports either, and the import check keeps it apart from the service.
      files: ['packages/core/src/webhooks/receiver/**/*.ts'],
      excludeFiles: TESTS,
      rules: coreBans('crypto', 'Date'),
    },
    {
      files: [
        'packages/core/src/{mails,rules,transitions}/**/*.ts',
        'packages/core/src/management/{doctor,subscriptions/explanation}/**/*.ts',
      ],
      // The excluded files read the store and the chain, and pass the results on.
      excludeFiles: [
        'packages/core/src/management/doctor/{check-project,examine,note-subscribers,operations}.ts',
        'packages/core/src/management/subscriptions/explanation/explain.ts',
        ...TESTS,
      ],
      rules: { [NO_SYNTAX]: ['error', ...CORE_SYNTAX, NO_PROMISES] },
    },
  ],
};
