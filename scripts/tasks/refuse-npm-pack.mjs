// Runs before a package is packed or published. Only pnpm applies `publishConfig.exports` and replaces
// `workspace:*` by versions. A tarball of another tool would export TypeScript sources that are not in it and
// declare dependencies that nobody can install.

const agent = process.env.npm_config_user_agent ?? '';
if (!agent.startsWith('pnpm/')) {
  console.error(
    'Only pnpm packs this package so that it can be installed. Run "npm run build" in the repository, ' +
      'and then "pnpm pack" here, or "npx pnpm pack" when pnpm is not installed.',
  );
  process.exitCode = 1;
}
