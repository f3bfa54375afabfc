import manifest from '../package.json' with { type: 'json' };

/** This release of the host. */
export const VERSION: string = manifest.version;
