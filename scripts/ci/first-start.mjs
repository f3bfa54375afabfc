// Plays a first start in a folder that is deleted at the end, with all that was started in it, also when this is interrupted.

import { inOwnFolder } from '../tasks/own-folder.mjs';
import { plainEnvironment } from '../tasks/plain-environment.mjs';
import { capture, endLike } from '../tasks/processes.mjs';

const PLAY = [process.execPath, 'scripts/ci/play-first-start.mjs'];

const ending = await inOwnFolder((folder) =>
  capture(PLAY, { stdio: 'inherit', env: { ...plainEnvironment(), TMPDIR: folder } }),
);
endLike(ending);
