/**
 * Limits concurrent work. Work that waits starts in the order in which it was submitted.
 * @param {number} count how much work runs at a time
 * @returns {<Result>(work: () => Promise<Result>) => Promise<Result>}
 */
export function slots(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const queue = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => queue.push(() => resolve(undefined)));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
