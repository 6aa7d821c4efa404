/** What binds elements to the store. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { State } from './state';
import { store } from './store';

export { Query } from './query';

/** Renders its host whenever the store changes. */
export class StoreController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #update = (): void => this.#host.requestUpdate();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get state(): Readonly<State> {
    return store.state;
  }

  hostConnected(): void {
    store.addEventListener('change', this.#update);
  }

  hostDisconnected(): void {
    store.removeEventListener('change', this.#update);
  }
}
