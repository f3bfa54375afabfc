/**
 * The advice for the built command inside the repository; null anywhere else. Its packages are TypeScript
 * sources there, which Node does not run.
 * @param self the URL of the module that runs
 * @param core the URL to which `@subrail/core` resolves
 */
export function whyBuiltCommandCannotRun(self: string, core: () => string): string | null {
  if (!self.endsWith('.js') || !core().endsWith('.ts')) return null;
  return (
    'This is the built command inside the repository, where @subrail/core is TypeScript source, which Node does not run. ' +
    'Run "npm start" in the repository, or "npx subrail start" where the packed @subrail/host-node is installed.'
  );
}
