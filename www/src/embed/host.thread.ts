/** The engine of a page's viewers in a worker. */
import { wholeEngine } from '../engine/loader/engine';
import { serve } from './host';

serve(self, wholeEngine);
