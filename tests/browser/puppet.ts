/** Firefox, and Chromium beside it, driven by WebDriver BiDi and DevTools through Puppeteer; as much of them as the tests use. */
import { existsSync } from 'node:fs';
import { launch, type Browser, type ElementHandle, type Page } from '../../www/node_modules/puppeteer-core';
import { Driver } from './driver';
import { launchWhole } from './server';

const FIREFOX = [process.env.JUROR_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path !== undefined && existsSync(path));

/** One window of the browser. */
export class Puppet extends Driver {
  readonly name: string;
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(name: string, browser: Browser, page: Page) {
    super();
    this.name = name;
    this.#browser = browser;
    this.#page = page;
  }

  /** Starts Firefox; `null`, in one printed line, where it is not installed. */
  static async firefox(): Promise<Puppet | null> {
    if (FIREFOX === undefined) {
      console.log('SKIPPED: no Firefox for its tests: apt-get install firefox-esr (or JUROR_FIREFOX)');
      return null;
    }
    const browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
    return new Puppet('Firefox', browser, await browser.newPage());
  }

  /** Starts Chromium. */
  static async chromium(): Promise<Puppet> {
    const { executablePath, args } = launchWhole();
    const browser = await launch({ browser: 'chrome', executablePath, args, headless: true });
    return new Puppet('Chromium', browser, await browser.newPage());
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  protected run(script: string, args: unknown[]): Promise<unknown> {
    return this.#page.evaluate(`(function () { ${script}\n}).apply(null, ${JSON.stringify(args)})`);
  }

  async choose(selector: string, path: string): Promise<void> {
    const input = await this.#page.waitForSelector(`>>> ${selector}`);
    await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
