/** Thrown for an endpoint of another cluster, whose results say nothing about ours. */
export class WrongCluster extends Error {
  constructor() {
    super(
      'The RPC endpoint belongs to another cluster: its genesis hash differs. Check the RPC URLs and the network.',
    );
    this.name = 'WrongCluster';
  }
}
