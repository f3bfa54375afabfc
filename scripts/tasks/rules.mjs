// Checks what the repository cites: every cited rule exists, every rule that is kept is cited by a test, nothing cites a
// page that is not in the repository, and the links and paths in pages lead somewhere.

import { brokenLinks, missingPaths, outsideCitations, unknownRules, untestedRules } from './citations.mjs';
import { ROOT } from './repository.mjs';
import { readTexts } from './texts.mjs';

const texts = readTexts(ROOT);
const problems = [unknownRules, untestedRules, outsideCitations, brokenLinks, missingPaths].flatMap((check) =>
  check(texts),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
