// Checks what the repository cites: every cited rule exists, every rule that is kept is cited by a test, every link
// between pages leads somewhere, and nothing cites a page that only its author has.

import { brokenLinks, outsideCitations, unknownRules, untestedRules } from './citations.mjs';
import { ROOT } from './repository.mjs';
import { readTexts } from './texts.mjs';

const texts = readTexts(ROOT);
const problems = [unknownRules, untestedRules, outsideCitations, brokenLinks].flatMap((check) =>
  check(texts),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
