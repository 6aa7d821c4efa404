/** The map of two pictures and how much changed between them, as the viewer asks for them. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { PictureChange } from '../../engine/types/PictureChange';
import { Mapper } from '../compare-pictures/mapper';
import { painted, seenMap, type MapSettings, type SeenMap } from '../compare-pictures/maps';
import type { Slide } from '../compare-pictures/slides';
import { MISSING_PICTURE } from './pixel-comparison';

export class MapMeasurement implements ReactiveController {
  map: SeenMap | null = null;
  /** What is said while there is no map. */
  words = '';
  /** How much changed, at the threshold and in the box that are set. */
  change: PictureChange | null = null;
  /** Why that is not known. */
  problem = '';
  readonly #host: ReactiveControllerHost;
  /** The settings of now: an answer can come after they have changed. */
  readonly #settings: () => MapSettings;
  readonly #mapper = new Mapper();
  #mapped = '';
  #counted = '';

  constructor(host: ReactiveControllerHost, settings: () => MapSettings) {
    this.#host = host;
    this.#settings = settings;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#mapper.clear();
  }

  /** Asks for what the settings call for and is not there yet. */
  measure(client: EngineClient, [first, second]: Slide[]): void {
    if (first?.file == null || second?.file == null) {
      this.forget();
      this.#show(null, MISSING_PICTURE);
      return;
    }
    this.#makeMap(client, first.file, second.file);
    if (this.#settings().metric === 'changed') this.#countChange(client, first.file, second.file);
  }

  /** Paints the map in the colours of the present threshold. */
  repaint(): void {
    if (this.map !== null) this.#show({ ...this.map, raster: painted(this.map.map, this.#settings()) });
  }

  forget(): void {
    this.#mapped = '';
    this.#counted = '';
    this.#show(null);
    this.#showChange(null);
  }

  /** Forgets all, and gives up the pictures. */
  clear(): void {
    this.forget();
    this.#mapper.clear();
  }

  #makeMap(client: EngineClient, first: number, second: number): void {
    const { metric } = this.#settings();
    const question = `${first} ${second} ${metric}`;
    if (question === this.#mapped) return;
    this.#mapped = question;
    this.#show(null, 'Measuring…');
    this.#mapper.map(client, first, second, metric).then(
      (map) => {
        if (this.#mapped === question) this.#show(seenMap(map, this.#settings()));
      },
      (error: unknown) => {
        if (this.#mapped === question) this.#show(this.map, `There is no map of these pictures: ${messageOf(error)}`);
      },
    );
  }

  #countChange(client: EngineClient, first: number, second: number): void {
    const settings = this.#settings();
    const { threshold, box, mask } = settings;
    const question = `${first} ${second} ${threshold} ${box?.join() ?? ''} ${mask === null ? '' : `${mask.name} ${mask.size} ${mask.lastModified}`}`;
    if (question === this.#counted) return;
    this.#counted = question;
    this.#mapper.change(client, first, second, settings).then(
      (change) => {
        if (this.#counted === question) this.#showChange(change, '');
      },
      (error: unknown) => {
        // Without a mask the map itself says what is wrong.
        if (this.#counted === question) this.#showChange(null, mask === null ? '' : messageOf(error));
      },
    );
  }

  /** Updates the host only where something is new: it measures after each update. */
  #show(map: SeenMap | null, words = this.words): void {
    if (map === this.map && words === this.words) return;
    [this.map, this.words] = [map, words];
    this.#host.requestUpdate();
  }

  #showChange(change: PictureChange | null, problem = this.problem): void {
    if (change === this.change && problem === this.problem) return;
    [this.change, this.problem] = [change, problem];
    this.#host.requestUpdate();
  }
}
