/** The log-in of this app: a cookie with the customer's id. */
export async function userOf(request: Request): Promise<{ readonly id: string } | null> {
  const [, id] = /(?:^|; )customer=([\w-]+)/.exec(request.headers.get('cookie') ?? '') ?? [];
  return id === undefined ? null : { id };
}
