import type { CellName } from '../../state/router';

/** Another mean is asked for: a part of the one that is shown. */
export class PartEvent extends Event {
  readonly cell: CellName;

  constructor(cell: CellName) {
    super('juror-part');
    this.cell = cell;
  }
}
