import type { Control, OpenControl } from './control.js';

/**
 * Opens the service under test: the local one, or the one of the module that `SUBRAIL_CONTRACT_WORLD` names,
 * a path or URL that can be imported and exports `openControl`.
 */
export async function openControl(): Promise<Control> {
  const named = process.env['SUBRAIL_CONTRACT_WORLD'];
  const world = (await (named === undefined ? import('./local-control.js') : import(named))) as {
    readonly openControl: OpenControl;
  };
  return world.openControl();
}
