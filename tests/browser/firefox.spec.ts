/** What every browser must do, in Firefox. */
import { everywhere } from './everywhere';
import { Puppet } from './puppet';

everywhere('Firefox', () => Puppet.firefox());
