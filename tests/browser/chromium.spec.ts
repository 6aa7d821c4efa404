/** Chromium, driven as Firefox and WebKit are, where its answer is to be theirs; the other specs ask the rest of it. */
import { SPOILED_PACKS, everywhere } from './everywhere';
import { Puppet } from './puppet';

everywhere('Chromium', () => Puppet.chromium(), [SPOILED_PACKS]);
