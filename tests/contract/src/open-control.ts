import type { Control, OpenControl } from './control.js';

/**
 * The world the suite runs against: the local one, or that of the module which `SUBRAIL_CONTRACT_WORLD` names (a path or URL
 * that can be imported) and which exports `openControl` as well.
 */
export async function openControl(): Promise<Control> {
  const named = process.env['SUBRAIL_CONTRACT_WORLD'];
  const world = (await (named === undefined ? import('./local.js') : import(named))) as {
    readonly openControl: OpenControl;
  };
  return world.openControl();
}
