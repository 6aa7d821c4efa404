/** Blinking: which of two pictures is seen, and the clock that turns them. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export class Blinking implements ReactiveController {
  phase: 0 | 1 = 0;
  isOn = false;
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
  }

  /** Turns the pictures at this pace, from now on. */
  start(everyMs: number): void {
    this.stop();
    this.isOn = true;
    this.#timer = setInterval(this.turn, everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.isOn = false;
    this.#host.requestUpdate();
  }

  /** Stops, and shows A. */
  reset(): void {
    this.phase = 0;
    this.stop();
  }

  readonly turn = (): void => {
    this.phase = this.phase === 0 ? 1 : 0;
    this.#host.requestUpdate();
  };

  /** Stops, and shows the other picture. */
  readonly showOther = (): void => {
    this.stop();
    this.turn();
  };
}
