/** What the page does where a component says something. */
import type { Said } from '../components/events';
import { download } from '../state/download';
import { store } from '../state/store';

const ACTS: { readonly [What in keyof Said]: (said: Said[What]) => unknown } = {
  notify: ({ kind, text }) => store.notify(kind, text),
  download: ({ blob, ending, kind }) => download(blob, ending, ...kind),
  go: (place) => store.go(place),
  choose: (options) => store.choose(options),
  open: (sources) => store.open(sources),
  demo: (id) => store.openDemo(id),
  extra: () => store.addExtra(),
  close: () => store.closeAll(),
  retry: () => store.retryFailures(),
  rated: () => store.ratingsChanged(),
  exported: () => store.pastesExported(),
};

/** Has the store follow what components say. */
export function listen(): void {
  for (const [what, act] of Object.entries(ACTS)) addEventListener(`juror-page-${what}`, (event) => act((event as CustomEvent<never>).detail));
}
