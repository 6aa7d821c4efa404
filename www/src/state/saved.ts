/** Views of the sample list that a user has named; kept in this browser, and passed on as links. */
const KEY = 'juror-saved-views';

/** A name for an address. */
export interface SavedView {
  name: string;
  /** The whole hash. */
  hash: string;
}

/** What is kept, by name. */
export function savedViews(): SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(isView);
  } catch {
    return [];
  }
}

function isView(one: unknown): one is SavedView {
  if (typeof one !== 'object' || one === null || !('name' in one) || !('hash' in one)) return false;
  const { name, hash } = one;
  return typeof name === 'string' && typeof hash === 'string' && hash.startsWith('#/samples');
}

/** Keeps a view; one of the same name is replaced. `false` where the browser does not let the page keep anything. */
export function saveView(view: SavedView): boolean {
  return keep([...savedViews().filter(({ name }) => name !== view.name), view]);
}

/** Gives a view another name. */
export function renameView(from: string, to: string): boolean {
  const views = savedViews();
  return keep(views.filter(({ name }) => name !== to || name === from).map((view) => (view.name === from ? { ...view, name: to } : view)));
}

/** Forgets a view. */
export function deleteView(name: string): boolean {
  return keep(savedViews().filter((view) => view.name !== name));
}

function keep(views: SavedView[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(views.sort((a, b) => a.name.localeCompare(b.name, 'en'))));
    return true;
  } catch {
    return false;
  }
}
