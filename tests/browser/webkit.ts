/** WebKitGTK, driven by WebDriver over plain HTTP under a display of its own; as much of it as the tests use. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Driver } from './driver';

const DRIVER = [process.env.JUROR_WEBKIT_DRIVER, '/usr/bin/WebKitWebDriver'].find((path) => path !== undefined && existsSync(path));
const DISPLAY = existsSync('/usr/bin/xvfb-run');
/**
 * The page is painted on the CPU: with compositing on a software OpenGL, WebKitGTK 2.50 now and then crashes in its threads for it
 * (general protection fault in Mesa's `swrast_dri.so`), and the session ends.
 */
const ENVIRONMENT = { ...process.env, WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
/** How an element is named in messages. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port that is free now: the driver takes no other kind of name. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The driver on a port of its own; another process may take the port before it, and then it ends at once. */
async function startDriver(driver: string): Promise<{ process: ChildProcess; address: string }> {
  for (let tries = 0; tries < 5; tries += 1) {
    const port = await freePort();
    // A group of its own: the display, the driver and the browser end together.
    const started = spawn('xvfb-run', ['-a', driver, `--port=${port}`], { stdio: 'ignore', detached: true, env: ENVIRONMENT });
    let isOver = false;
    started.once('exit', () => (isOver = true));
    const address = `http://127.0.0.1:${port}`;
    for (let asked = 0; asked < 150 && !isOver; asked += 1) {
      const ready = await fetch(`${address}/status`).catch(() => null);
      if (ready?.ok === true) break;
      await wait(200);
    }
    if (!isOver) return { process: started, address };
  }
  throw new Error('The WebDriver of WebKitGTK ended at each of five starts.');
}

/** One window of the browser. */
export class WebKit extends Driver {
  readonly name = 'WebKit';
  readonly #process: ChildProcess;
  readonly #address: string;
  #session = '';

  private constructor(process: ChildProcess, address: string) {
    super();
    this.#process = process;
    this.#address = address;
  }

  /** Starts it; `null`, in one printed line, where it is not installed. */
  static async launch(): Promise<WebKit | null> {
    if (DRIVER === undefined || !DISPLAY) {
      console.log('SKIPPED: no WebKitGTK for its tests: apt-get install webkit2gtk-driver xvfb (or JUROR_WEBKIT_DRIVER)');
      return null;
    }
    const { process: started, address } = await startDriver(DRIVER);
    const browser = new WebKit(started, address);
    const { sessionId } = (await browser.#call('POST', '/session', { capabilities: { alwaysMatch: {} } })) as { sessionId: string };
    browser.#session = `/session/${sessionId}`;
    return browser;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#address + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  async goto(url: string): Promise<void> {
    await this.#call('POST', `${this.#session}/url`, { url });
  }

  async reload(): Promise<void> {
    await this.#call('POST', `${this.#session}/refresh`, {});
  }

  protected run(script: string, args: unknown[]): Promise<unknown> {
    return this.#call('POST', `${this.#session}/execute/sync`, { script, args });
  }

  async choose(selector: string, path: string): Promise<void> {
    const element = (await this.evaluate('return deep(arguments[0])[0];', selector)) as Record<string, string>;
    await this.#call('POST', `${this.#session}/element/${element[ELEMENT]}/value`, { text: path });
  }

  async close(): Promise<void> {
    await this.#call('DELETE', this.#session).catch(() => undefined);
    if (this.#process.pid !== undefined) {
      try {
        process.kill(-this.#process.pid);
      } catch {
        // It has ended.
      }
    }
  }
}
