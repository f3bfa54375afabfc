export async function fetchProgramTo(_rpcUrl: string, _file: string): Promise<void> {
  throw new Error('pending');
}
