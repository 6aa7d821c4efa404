/** A browser as the tests that run in all of them drive it: little enough that WebDriver and WebDriver BiDi both have it. */
import { expect } from '../../www/node_modules/@playwright/test';

/** What the body of a function has at hand in the page. */
const AT_HAND = `
const deep = (selector, root = document) => [...root.querySelectorAll(selector), ...[...root.querySelectorAll("*")].flatMap((one) => one.shadowRoot ? deep(selector, one.shadowRoot) : [])];`;

/** Keeps what the page hands out for downloading. */
const CATCH = `
if (globalThis.given === undefined) {
  globalThis.given = [];
  const blobs = new Map();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    const blob = this.download === "" ? undefined : blobs.get(this.href);
    if (blob === undefined) return click.call(this);
    const reader = new FileReader();
    reader.onload = () => given.push({ name: this.download, base64: reader.result.slice(reader.result.indexOf(",") + 1) });
    reader.readAsDataURL(blob);
  };
}
given.length = 0;`;

/** How long the slowest browser may take for one step of a test. */
const WITHIN = { timeout: 90_000 };

/** One window of a browser. */
export abstract class Driver {
  abstract readonly name: string;
  abstract goto(url: string): Promise<void>;
  abstract reload(): Promise<void>;
  /** Chooses a file in the first file input that matches. */
  abstract choose(selector: string, path: string): Promise<void>;
  abstract close(): Promise<void>;
  /** Runs a function in the page that takes its arguments as an array. */
  protected abstract run(script: string, args: unknown[]): Promise<unknown>;

  /** Runs the body of a function in the page; `deep(selector)` finds what matches at whatever depth of shadow roots. */
  evaluate(body: string, ...args: unknown[]): Promise<unknown> {
    return this.run(`${AT_HAND}\n${body}`, args);
  }

  /** The words of everything that matches. */
  async text(selector: string): Promise<string> {
    return (await this.evaluate('return deep(arguments[0]).map((one) => one.textContent).join(" ").replace(/\\s+/g, " ");', selector)) as string;
  }

  /** The words of each that matches. */
  async texts(selector: string): Promise<string[]> {
    return (await this.evaluate('return deep(arguments[0]).map((one) => one.textContent.replace(/\\s+/g, " ").trim());', selector)) as string[];
  }

  async count(selector: string): Promise<number> {
    return (await this.evaluate('return deep(arguments[0]).length;', selector)) as number;
  }

  /** Clicks the first that matches; whether there is one that can be clicked. */
  async click(selector: string): Promise<boolean> {
    return (await this.evaluate('const one = deep(arguments[0]).find((one) => !one.disabled); one?.click(); return one !== undefined;', selector)) as boolean;
  }

  /** Clicks as soon as there is something to click. */
  async press(selector: string): Promise<void> {
    await expect.poll(() => this.click(selector), { ...WITHIN, message: selector }).toBe(true);
  }

  /** Writes into a field, or chooses in a list, as its user does, in one go. */
  async fill(selector: string, text: string): Promise<void> {
    await this.some(selector);
    await this.evaluate(
      'const [one] = deep(arguments[0]); one.value = arguments[1]; for (const type of ["input", "change"]) one.dispatchEvent(new Event(type, { bubbles: true, composed: true }));',
      selector,
      text,
    );
  }

  /** Waits until something matches. */
  async some(selector: string): Promise<void> {
    await expect.poll(() => this.count(selector), { ...WITHIN, message: selector }).toBeGreaterThan(0);
  }

  /** Waits for words in what matches. */
  async within(selector: string, words: string): Promise<void> {
    await expect.poll(() => this.text(selector), WITHIN).toContain(words);
  }

  /** Waits until everything is read. */
  async ready(): Promise<void> {
    await expect.poll(() => this.evaluate('return document.documentElement.dataset.phase;'), WITHIN).toBe('done');
  }

  /** Goes to a view. */
  async go(hash: string): Promise<void> {
    await this.evaluate('location.hash = arguments[0];', hash);
  }

  /** A page from its beginning, once its engine runs and has read what it shows first. */
  async open(address: string, source = 'Demo suite'): Promise<void> {
    await this.goto('about:blank');
    await this.goto(address);
    await this.within('.sources', source);
    await this.ready();
  }

  /** Opens a file beside what is open. */
  async add(path: string, source: string): Promise<void> {
    await this.choose('[data-testid="input-files"]', path);
    await this.within('.sources', source);
    await this.ready();
  }

  /** What the page hands out once this is clicked. */
  async download(selector: string): Promise<Buffer> {
    await this.evaluate(CATCH);
    await this.press(selector);
    const first = () => this.evaluate('return given[0]?.base64 ?? null;') as Promise<string | null>;
    await expect.poll(async () => (await first()) !== null, { ...WITHIN, message: selector }).toBe(true);
    return Buffer.from((await first()) ?? '', 'base64');
  }
}
