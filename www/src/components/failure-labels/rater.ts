/** Who rates and labels in this tab; kept while the page is open, and in no address. */
export const rater = { name: '' };
