/** The fields that every page of a list has. */
export interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

/**
 * A list. Awaited, it is one page. Iterated, it is every item from there on: each further page is requested
 * when the loop reaches it, and `limit` is the size of a page.
 *
 * @example
 * const { subscriptions } = createClient({ url: 'https://billing.example.com', key });
 * const { data, has_more } = await subscriptions.list({ external_id: 'customer-42' });
 * const ids: string[] = [];
 * for await (const { id } of subscriptions.list({ external_id: 'customer-42' })) ids.push(id);
 */
export type Listed<OnePage extends Page> = Promise<OnePage> & AsyncIterable<OnePage['data'][number]>;

/** Makes a list of its first page, and of the function that requests the page after an item. */
export function listed<OnePage extends Page>(
  first: Promise<OnePage>,
  pageAfter: (id: string) => Promise<OnePage>,
): Listed<OnePage> {
  async function* items() {
    for (let page = await first; ;) {
      yield* page.data;
      const last = page.data.at(-1);
      // The last item's id asks for the next page, so an empty page ends the list, whatever it states.
      if (!page.has_more || last === undefined) return;
      page = await pageAfter(last.id);
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
