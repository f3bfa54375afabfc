/** How a client calls one operation. */
export interface Route {
  /** The operation, as a member of its group: `plans.retrieve`. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /**
   * The path below the address of the service. Its `{parameters}` are the first arguments of the function,
   * but for those that the client fills.
   */
  readonly path: string;
  /** Whether the function takes an input: the query of a GET, the body of a POST. */
  readonly input: boolean;
  /** The form of the answer: an object, a page, a whole list, a text in parts, or nothing. */
  readonly answer: 'object' | 'page' | 'list' | 'text' | 'nothing';
  /** Whether the service may take up to 90 seconds, for the chain. */
  readonly waits: boolean;
}
