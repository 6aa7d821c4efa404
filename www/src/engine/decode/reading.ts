/** What recomputing a pack needs of whoever shows it: decoders, and to hear how far it is. */
import type { PictureEdge, ReadingPage } from '../edge';

/** A page that decodes and measures by a package, or by none where it cannot be had: no pack with pictures is called reproduced then. */
export const readingPage = (decoders: () => Promise<PictureEdge | null>, onProgress: ReadingPage['onProgress']): ReadingPage => ({
  onProgress,
  decodes: async () => (await decoders()) !== null,
  flaw: async (picture) => (await decoders())?.check(picture),
  measure: async (...pair) => (await decoders())?.measure(...pair),
});
