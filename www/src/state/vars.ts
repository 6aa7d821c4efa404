/** Sets custom properties through the CSSOM: the page's policy forbids style attributes. */
import { noChange } from 'lit';
import { Directive, PartType, directive, type ElementPart, type PartInfo } from 'lit/directive.js';

type Values = Record<string, string | number>;

class VarsDirective extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('vars() stands alone inside a tag');
  }

  override render(..._values: [Values]): unknown {
    return noChange;
  }

  override update(part: ElementPart, [values]: [Values]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(values)) style.setProperty(name, String(value));
    return noChange;
  }
}

export const vars = directive(VarsDirective);
