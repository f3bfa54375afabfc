/** What a command says that needs the local chain while no host runs. */
export const NO_HOST =
  'This needs the local chain, which is in the host, and no host runs. Start one with "subrail start", and run this again.';
