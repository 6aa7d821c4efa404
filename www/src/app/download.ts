/** Hands files to the browser's download list. */

/** Downloads a Blob under a name. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name that every file system takes. */
export const safeName = (name: string): string => name.replace(/[^\w.-]+/g, '_');
