/** Waits one turn of the event loop. By its end, all work that waits only for promises has run. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
