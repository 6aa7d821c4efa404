/** Starts the engine where this script runs: in its worker, or on a page's own thread, which then hands it a channel. */
import { serve } from './worker';

if (typeof document === 'undefined') serve(self);
else addEventListener('juror-engine-port', (event) => serve((event as CustomEvent<MessagePort>).detail), { once: true });
