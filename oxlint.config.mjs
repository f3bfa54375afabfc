import {
  CLIENT_GLOBALS,
  CLIENT_PROPERTIES,
  CORE_GLOBALS,
  CORE_IMPORTS,
  CORE_PROPERTIES,
  CORE_SYNTAX,
  RECEIVER_GLOBALS,
  RECEIVER_PROPERTIES,
} from './scripts/lint/core-bans.mjs';
import { NO_FOCUSED_TESTS } from './scripts/lint/no-focused-tests.mjs';
import { NO_PROMISES } from './scripts/lint/no-promises.mjs';

/** The tests of a package: `.test.ts` files and folders of tests. */
const TESTS = ['packages/*/src/**/*.test.ts', 'packages/*/src/**/tests/**/*.ts'];

/**
 * The rules that refuse syntax by selectors and imports by regular expressions with look-ahead, which come
 * from a plugin.
 */
const NO_SYNTAX = 'eslint-js/no-restricted-syntax';
const NO_IMPORTS = 'eslint-js/no-restricted-imports';

/** @param {readonly string[]} names */
const errors = (names) => Object.fromEntries(names.map((name) => [name, 'error']));

/** @type {import('oxlint').OxlintConfig} */
export default {
  plugins: ['typescript'],
  jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // scripts/examples declares the names of examples, which only the check of examples may see.
  ignorePatterns: ['**/dist/', 'tests/apps/', 'coverage/', '**/.subrail/', 'scripts/examples/'],
  categories: { correctness: 'error' },
  rules: {
    ...errors([
      'getter-return',
      'no-array-constructor',
      'no-case-declarations',
      'no-empty',
      'no-fallthrough',
      'no-misleading-character-class',
      'no-prototype-builtins',
      'no-regex-spaces',
      'no-unexpected-multiline',
      'no-unreachable',
      'no-useless-assignment',
      'no-useless-constructor',
      'no-var',
      'prefer-const',
      'prefer-rest-params',
      'prefer-spread',
      'preserve-caught-error',
      'typescript/consistent-type-exports',
      'typescript/consistent-type-imports',
      'typescript/no-deprecated',
      'typescript/no-dynamic-delete',
      'typescript/no-empty-object-type',
      'typescript/no-explicit-any',
      'typescript/no-extraneous-class',
      'typescript/no-generated-empty-object-type',
      'typescript/no-import-type-side-effects',
      'typescript/no-invalid-void-type',
      'typescript/no-misused-promises',
      'typescript/no-mixed-enums',
      'typescript/no-namespace',
      'typescript/no-non-null-asserted-nullish-coalescing',
      'typescript/no-non-null-assertion',
      'typescript/no-require-imports',
      'typescript/no-unnecessary-boolean-literal-compare',
      'typescript/no-unnecessary-condition',
      'typescript/no-unnecessary-template-expression',
      'typescript/no-unnecessary-type-arguments',
      'typescript/no-unnecessary-type-assertion',
      'typescript/no-unnecessary-type-constraint',
      'typescript/no-unnecessary-type-conversion',
      'typescript/no-unnecessary-type-parameters',
      'typescript/no-unsafe-argument',
      'typescript/no-unsafe-assignment',
      'typescript/no-unsafe-call',
      'typescript/no-unsafe-enum-comparison',
      'typescript/no-unsafe-function-type',
      'typescript/no-unsafe-member-access',
      'typescript/no-unsafe-return',
      'typescript/only-throw-error',
      'typescript/prefer-literal-enum-member',
      'typescript/prefer-promise-reject-errors',
      'typescript/prefer-reduce-type-parameter',
      'typescript/prefer-return-this-type',
      'typescript/related-getter-setter-pairs',
      'typescript/unified-signatures',
      'typescript/use-unknown-in-catch-callback-variable',
    ]),
    // A type may have the name of a constant; for anything else, TypeScript refuses two declarations.
    'no-redeclare': 'off',
    // Text sorts by code units, as it should; numbers are sorted with a function, or the order shows in a
    // test.
    'typescript/require-array-sort-compare': 'off',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // The formatter ends code at 110 columns, and leaves comments alone.
    'eslint-js/max-len': ['error', { code: 1_000, comments: 110 }],
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
      rules: { [NO_SYNTAX]: ['error', ...NO_FOCUSED_TESTS] },
    },
    {
      files: ['packages/core/src/**/*.ts'],
      excludeFiles: TESTS,
      rules: { [NO_IMPORTS]: ['error', CORE_IMPORTS] },
    },
    {
      files: ['packages/core/src/**/*.ts'],
      excludeFiles: ['packages/core/src/testing/**', ...TESTS],
      rules: {
        'no-restricted-globals': ['error', ...CORE_GLOBALS],
        'no-restricted-properties': ['error', ...CORE_PROPERTIES],
        [NO_SYNTAX]: ['error', ...CORE_SYNTAX],
      },
    },
    {
      files: ['packages/core/src/client/**/*.ts'],
      excludeFiles: TESTS,
      rules: {
        'no-restricted-globals': ['error', ...CLIENT_GLOBALS],
        'no-restricted-properties': ['error', ...CLIENT_PROPERTIES],
      },
    },
    {
      files: ['packages/core/src/webhooks/receiver/**/*.ts'],
      excludeFiles: TESTS,
      rules: {
        'no-restricted-globals': ['error', ...RECEIVER_GLOBALS],
        'no-restricted-properties': ['error', ...RECEIVER_PROPERTIES],
      },
    },
    {
      files: [
        'packages/core/src/{rules,transitions}/**/*.ts',
        'packages/core/src/management/{doctor,subscriptions/explanation}/**/*.ts',
      ],
      // These read the store and the chain, and pass the others what they read.
      excludeFiles: [
        'packages/core/src/management/doctor/{check-project,examine,note-subscribers,operations}.ts',
        'packages/core/src/management/subscriptions/explanation/explain.ts',
        ...TESTS,
      ],
      rules: { [NO_SYNTAX]: ['error', ...CORE_SYNTAX, ...NO_PROMISES] },
    },
  ],
};
