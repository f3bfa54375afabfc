/** Writes what the browser runs before its tests: they show the sources as they are. */
export { page as setup } from '../tasks/page.mjs';
