/** Events of the viewer. */

import type { ViewerState } from '../compare-pictures/slides';

/** What the viewer shows has changed. */
export class SeeChange extends Event {
  readonly see: ViewerState;
  /** Whether one of several was chosen, and nothing moved bit by bit. */
  readonly isChoice: boolean;

  constructor(see: ViewerState, isChoice: boolean) {
    super('juror-see');
    [this.see, this.isChoice] = [see, isChoice];
  }
}

/** The user wants the address of what is seen, zoom included. */
export class CopySeen extends Event {
  readonly see: ViewerState;

  constructor(see: ViewerState) {
    super('juror-copy-seen');
    this.see = see;
  }
}

/** The user wants the next or the previous sample, in the same view. */
export class StepSample extends Event {
  readonly by: 1 | -1;

  constructor(by: 1 | -1) {
    super('juror-step-sample');
    this.by = by;
  }
}
