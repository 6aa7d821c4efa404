/** What is used of the package lzma1; it names its sources as its types, and those do not pass our compiler options. */
export function compress(bytes: Uint8Array, level: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9): Uint8Array;
export function decompress(bytes: Uint8Array): Uint8Array;
