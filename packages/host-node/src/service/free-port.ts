const MAX_TRIES = 20;

/** Listens on the first free port of 20 from `first` on. Throws on any failure but a port in use. */
export async function listenOnFreePort<T>(first: number, listen: (port: number) => Promise<T>): Promise<T> {
  for (let port = first; ; port += 1) {
    try {
      return await listen(port);
    } catch (error) {
      const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!inUse || port === first + MAX_TRIES - 1) throw error;
    }
  }
}
