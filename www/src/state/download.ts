/** Names files after the open benchmark and hands them to the browser's download list. */
import { safeName, save } from './save';
import { store } from './store';

/** Downloads a Blob about the open benchmark, under the name of [`exportName`]. */
export function download(blob: Blob, ending: string, ...kind: string[]): void {
  save(blob, exportName(ending, ...kind));
}

/** `juror-weave-report-paper.json`: the benchmark, and what the file holds, general before special. */
export function exportName(ending: string, ...kind: string[]): string {
  const parts = ['juror', store.state.overview?.benchmark?.protocol ?? '', ...kind];
  return `${safeName(parts.filter((part) => part !== '').join('-'))}.${ending}`;
}
