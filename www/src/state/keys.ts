/** Whether a key belongs to a field or an open dialog rather than to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some((node) => {
    if (!(node instanceof HTMLElement)) return false;
    if (node instanceof HTMLDialogElement) return node.open;
    return node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement || node.isContentEditable || isTextInput(node);
  });
}

function isTextInput(node: HTMLElement): boolean {
  return node instanceof HTMLInputElement && !['radio', 'checkbox', 'button', 'file'].includes(node.type);
}

/** A key as shortcuts name it: a letter is the same with Shift or Caps Lock. */
export function keyOf({ key }: KeyboardEvent): string {
  return key.length === 1 ? key.toLowerCase() : key;
}

/** Whether the page has put the focus on its content because what had it is gone: a view may take it to where the reader goes on. */
export function isFocusFree(): boolean {
  return deepFocus(document)?.id === 'main';
}

/** The element that has the focus, below any shadow roots. */
export function deepFocus(root: DocumentOrShadowRoot): Element | null {
  const focused = root.activeElement;
  return focused?.shadowRoot?.activeElement == null ? focused : deepFocus(focused.shadowRoot);
}
