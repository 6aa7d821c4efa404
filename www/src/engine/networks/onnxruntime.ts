/**
 * Runs graphs by onnxruntime-web on WebGPU, in the worker of networks: fetched when the user chooses it.
 *
 * One thread, no worker of its own, and its Wasm from next to the page: nothing is fetched from elsewhere.
 */
import type * as OrtModule from 'onnxruntime-web';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { EngineError, messageOf } from '../errors';
import type { External, GraphHost, HostTensor } from './edge';

type Ort = Pick<typeof OrtModule, 'env' | 'InferenceSession' | 'Tensor'>;

const ON_THE_CPU = 'choose the CPU as what networks run on';

/** The build that waits for the GPU by the browser's own means, or the larger one that brings its own. */
async function build(): Promise<Ort> {
  const [ort, wasm] =
    'Suspending' in WebAssembly
      ? await Promise.all([import('onnxruntime-web/jspi'), import('onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url')])
      : await Promise.all([import('onnxruntime-web/webgpu'), import('onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url')]);
  const { env } = ort;
  env.wasm.numThreads = 1;
  env.wasm.proxy = false;
  env.wasm.wasmPaths = { wasm: new URL(wasm.default, self.location.href).href };
  env.logLevel = 'error';
  return ort;
}

/** The GPU that the browser gives. */
async function adapter(): Promise<GPUAdapter> {
  // Missing in browsers without it, and on pages that are neither local nor encrypted.
  const { gpu } = navigator as { gpu?: GPU };
  if (gpu === undefined)
    throw new EngineError(`This browser offers no WebGPU here. Use a current browser and an address that begins with https, or ${ON_THE_CPU}.`, 'no_gpu');
  const found = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (found === null)
    throw new EngineError(
      `The browser has WebGPU, and gives no GPU: there is none, or its driver is blocked. Turn on graphics acceleration in the browser’s settings, or ${ON_THE_CPU}.`,
      'no_gpu',
    );
  return found;
}

/** As records of values have it. A program on the CPU that plays a GPU says so. */
function named({ vendor, architecture, isFallbackAdapter }: GPUAdapterInfo): string {
  const isSoftware = isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|warp/i.test(architecture);
  const words = [vendor, architecture].filter((word) => word !== '');
  return ['webgpu', ...(words.length === 0 ? ['unnamed GPU'] : words), ...(isSoftware ? ['(software)'] : [])].join(' ');
}

/** What onnxruntime-web needs more of than browsers give unasked; each is asked for as far as the GPU goes. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
] as const;

const FEATURES = ['shader-f16', 'subgroups'] as const;

async function device(of: GPUAdapter): Promise<GPUDevice> {
  return of.requestDevice({
    requiredLimits: Object.fromEntries(LIMITS.map((name) => [name, of.limits[name]])),
    requiredFeatures: FEATURES.filter((name) => of.features.has(name)),
  });
}

/** Graphs that are ready, by their numbers. */
class WebGpuHost implements GraphHost {
  readonly id: string;
  readonly device: string;
  readonly #ort: Ort;
  readonly #gpu: GPUDevice;
  readonly #sessions = new Map<number, InferenceSession>();
  /** Memory that is given back; what is opened next waits for it. */
  #closing: Promise<unknown> = Promise.resolve();
  #next = 1;
  /** Why the GPU is gone; empty while it is there. */
  #lost = '';

  constructor(ort: Ort, gpu: GPUDevice, name: string) {
    this.#ort = ort;
    this.#gpu = gpu;
    this.id = `onnxruntime-web ${ort.env.versions.web ?? ''}`.trim();
    this.device = name;
    void gpu.lost.then(({ message }) => (this.#lost = message === '' ? 'its driver gave no reason' : message));
  }

  reserve(bytes: number): Uint8Array {
    return new Uint8Array(bytes);
  }

  async open(graph: Uint8Array, externals: External[]): Promise<number> {
    await this.#closing;
    const session = await this.#told(
      this.#ort.InferenceSession.create(graph, {
        executionProviders: [{ name: 'webgpu', device: this.#gpu }],
        externalData: externals.map(({ name, bytes }) => ({ path: name, data: bytes })),
      }),
    );
    const handle = this.#next++;
    this.#sessions.set(handle, session);
    return handle;
  }

  async run(handle: number, inputs: HostTensor[], outputs: string[]): Promise<HostTensor[]> {
    const session = this.#sessions.get(handle);
    if (session === undefined) throw new EngineError('The graph is not loaded any more.', 'not_loaded');
    const feeds = Object.fromEntries(inputs.map((input) => [input.name, this.#tensor(session, input)]));
    const found = await this.#told(session.run(feeds, outputs));
    return Promise.all(
      outputs.flatMap((name) => {
        const tensor = found[name];
        return tensor === undefined ? [] : [taken(name, tensor)];
      }),
    );
  }

  close(handle: number): void {
    const session = this.#sessions.get(handle);
    this.#sessions.delete(handle);
    this.#closing = this.#closing.then(() => session?.release()).catch(() => undefined);
  }

  /** Numbers as the graph wants them: ids of 64 bits, or of 32. */
  #tensor(session: InferenceSession, { name, shape, values }: HostTensor): Tensor {
    const wanted = session.inputMetadata.find((one) => one.name === name);
    const type = wanted?.isTensor === true ? wanted.type : undefined;
    if (values instanceof Float32Array && (type ?? 'float32') === 'float32') return new this.#ort.Tensor('float32', values, shape);
    if (values instanceof BigInt64Array && (type ?? 'int64') === 'int64') return new this.#ort.Tensor('int64', values, shape);
    if (values instanceof BigInt64Array && type === 'int32') return new this.#ort.Tensor('int32', Int32Array.from(values, Number), shape);
    throw new EngineError(`its input ${name} is of the type ${type ?? 'unknown'}; export it with float32 for pictures and int64 for ids`, 'input_type');
  }

  /** A failure of a GPU that is gone says that it is. */
  async #told<Found>(work: Promise<Found>): Promise<Found> {
    try {
      return await work;
    } catch (error) {
      if (this.#lost === '') throw error;
      throw new EngineError(`the GPU was lost (${this.#lost}); ${messageOf(error)}`, 'gpu_lost');
    }
  }
}

/** A tensor's numbers as they are in this memory, and none of them on the GPU any more. */
async function taken(name: string, tensor: Tensor): Promise<HostTensor> {
  const values = await tensor.getData();
  const shape = [...tensor.dims];
  tensor.dispose();
  return { name, shape, values: values as HostTensor['values'] };
}

/** The runner on the browser's GPU; rejects with the code `no_gpu` and how to go on where there is none. */
export async function webGpu(): Promise<GraphHost> {
  const found = await adapter();
  const name = named(found.info);
  const [ort, gpu] = await Promise.all([
    build().catch((error: unknown) => {
      throw new EngineError(
        `onnxruntime-web could not be fetched (${messageOf(error)}). Load the page again with a connection, or ${ON_THE_CPU}.`,
        'not_loaded',
      );
    }),
    device(found),
  ]);
  return new WebGpuHost(ort, gpu, name);
}
