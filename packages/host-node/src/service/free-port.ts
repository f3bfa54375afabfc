/** How many ports in a row are tried. */
const TRIES = 20;

/** Listens on the first free port from `first` on. Any failure but a taken port is thrown at once. */
export async function listenOnFreePort<T>(first: number, listen: (port: number) => Promise<T>): Promise<T> {
  for (let port = first; ; port += 1) {
    try {
      return await listen(port);
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || port === first + TRIES - 1) throw error;
    }
  }
}
