import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
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

export default defineConfig(
  // scripts/examples declares the names of examples, which only the check of examples may see.
  globalIgnores(['**/dist/', 'tests/apps/', 'coverage/', '**/.subrail/', 'scripts/examples/']),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // TypeScript knows which names exist.
      'no-undef': 'off',
      // An implementation of an asynchronous port is asynchronous even where it has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    rules: {
      // In JavaScript a cast is a comment, which these two cannot see.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: TESTS,
    rules: { 'max-lines': ['error', { max: 400 }] },
  },
  {
    files: [
      ...TESTS,
      'packages/*/bench/**/*.ts',
      'examples/*/src/**/*.ts',
      'tests/*/src/**/*.ts',
      'scripts/test/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...NO_FOCUSED_TESTS] },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-imports': ['error', CORE_IMPORTS] },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    ignores: ['packages/core/src/testing/**', ...TESTS],
    rules: {
      'no-restricted-globals': ['error', ...CORE_GLOBALS],
      'no-restricted-properties': ['error', ...CORE_PROPERTIES],
      'no-restricted-syntax': ['error', ...CORE_SYNTAX],
    },
  },
  {
    files: ['packages/core/src/client/**/*.ts'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': ['error', ...CLIENT_GLOBALS],
      'no-restricted-properties': ['error', ...CLIENT_PROPERTIES],
    },
  },
  {
    files: ['packages/core/src/webhooks/receiver/**/*.ts'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': ['error', ...RECEIVER_GLOBALS],
      'no-restricted-properties': ['error', ...RECEIVER_PROPERTIES],
    },
  },
  {
    files: ['packages/core/src/{rules,transitions}/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ...CORE_SYNTAX, ...NO_PROMISES] },
  },
);
