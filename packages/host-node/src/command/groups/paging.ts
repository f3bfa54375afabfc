import { text, whole } from '../option.js';

/** The options of a list that comes in pages. */
export const PAGE_OPTIONS = {
  limit: whole('count', 'how many to list, 1 to 100; 20 without it'),
  starting_after: text('id', 'the last item of the page before'),
};
