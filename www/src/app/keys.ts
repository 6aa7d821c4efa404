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

/** The element that has the focus, below any shadow roots. */
export function deepFocus(root: DocumentOrShadowRoot): Element | null {
  const focused = root.activeElement;
  return focused?.shadowRoot?.activeElement == null ? focused : deepFocus(focused.shadowRoot);
}
