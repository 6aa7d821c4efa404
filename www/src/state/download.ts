/** Hands files to the browser's download list. */
import { store } from './store';

/** Downloads a Blob under a name that says of itself what it is. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a Blob about the open benchmark, under the name of [`exportName`]. */
export function download(blob: Blob, ending: string, ...kind: string[]): void {
  save(blob, exportName(ending, ...kind));
}

/** `juror-weave-report-paper.json`: the benchmark, and what the file holds, general before special. */
export function exportName(ending: string, ...kind: string[]): string {
  const parts = ['juror', store.state.overview?.benchmark?.protocol ?? '', ...kind];
  return `${safeName(parts.filter((part) => part !== '').join('-'))}.${ending}`;
}

/** A name that every file system takes, in any script. */
export const safeName = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_');
