/** Several judges are to be taken together: the page asks which, and `use` gets their name. */
export class AskPanel extends Event {
  constructor(
    readonly use: (judge: string) => void,
    /** What the button says. */
    readonly action: string,
  ) {
    super('juror-ask-panel', { bubbles: true, composed: true });
  }
}
