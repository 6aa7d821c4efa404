/** Hands files to the browser's download list. */

/** Downloads a Blob under a name that says of itself what it is. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that every file system takes, in any script. */
export const safeName = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_');
