/** The package that runs networks, fetched when a pack is opened. It reads files as workers may, so only a worker calls it. */
import type { Measured } from '../types/Measured';
import type { NetworkCheck } from '../types/NetworkCheck';
import type { NetworkPack } from '../types/NetworkPack';
import type { PictureMap } from '../types/PictureMap';

/** Whose numbers networks give: those of the authors' code, or of the metric as its own paper defines it. */
export type NetworkProfile = 'released' | 'standard';

/** What runs networks: rten on the CPU, or onnxruntime-web on WebGPU. */
export type NetworkRunner = 'cpu' | 'webgpu';

/** A file of a graph's weights. */
export interface External {
  name: string;
  bytes: Uint8Array;
}

/** Numbers that go into a graph or come out of it; whole numbers have 64 bits on the way in. */
export interface HostTensor {
  name: string;
  shape: number[];
  values: Float32Array | BigInt64Array | Int32Array;
}

/** Loads and runs graphs outside of the package's memory. */
export interface GraphHost {
  /** Name and version. */
  readonly id: string;
  /** What it computes on, with the GPU's name. */
  readonly device: string;
  /** Memory for a file of weights; throws where there is none. */
  reserve(bytes: number): Uint8Array;
  /** Makes a graph ready; resolves to the number that it is known by. */
  open(graph: Uint8Array, externals: External[]): Promise<number>;
  /** Runs it; the outputs that are asked for, in their order. */
  run(handle: number, inputs: HostTensor[], outputs: string[]): Promise<HostTensor[]>;
  /** Gives its memory back. */
  close(handle: number): void;
}

/** Packs that were opened, with what runs them. */
export interface NetworkMeasurer {
  /** A folder's files by their paths, or one ZIP. */
  open(paths: string[], files: Blob[]): NetworkPack;
  /** The runner with its version, and what it computes on. */
  runner(): string;
  /** Compares every graph of a pack with its golden cases. */
  check(task: string): Promise<NetworkCheck>;
  /** Against a prompt where there is one, else against the counterpart. */
  measure(task: string, prompt: string, counterpart: Uint8Array, output: Uint8Array): Promise<Measured>;
  /** Objects of an output: it and its box file, then each reference and its box file, with the paths of the box files. */
  measure_objects(task: string, files: Uint8Array[], names: string[]): Promise<Measured>;
  /** A picture's feature of length 1. */
  embed(task: string, picture: Uint8Array): Promise<Float32Array>;
  /** The features of Inception-v3 of a picture. */
  inception(picture: Uint8Array): Promise<Float32Array>;
  /** Which network gives this, as a report names it. */
  describe(task: string): string;
  /** What a result of a network for these files and words is known by. */
  key(task: string, files: Uint8Array[], words: string[]): string;
  /** What a network paints of the second picture, at the first one's size. */
  map(task: string, frame: Uint8Array, picture: Uint8Array): Promise<PictureMap>;
  free(): void;
}

export interface NetworksEdge {
  /** Graphs run by the host, or on the CPU without one. */
  NetworkMeasurer: new (profile: NetworkProfile, host?: GraphHost) => NetworkMeasurer;
  /** For each feature the place of the nearest among others, or among its own kind, and their cosine, one after the other. */
  nearest_of(of: Float32Array, among: Float32Array | undefined, width: number): Float64Array;
  /** The Fréchet distance of two sets of features. */
  frechet_of(reference: Float32Array, candidate: Float32Array, width: number): number;
  default: () => Promise<unknown>;
}
