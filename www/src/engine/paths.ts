/** Sample lists, replies, journals: few, and what the first rows and the scores come from. */
export const isList = (path: string): boolean => /\.jsonl?$/i.test(path);

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The media type of a picture by its name; browsers look at the bytes anyway. */
export function mediaType(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const types: Record<string, string> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    webp: 'image/webp',
    gif: 'image/gif',
    bmp: 'image/bmp',
    avif: 'image/avif',
  };
  return types[extension] ?? 'application/octet-stream';
}
