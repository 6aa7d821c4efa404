/** Compares the GPU with the CPU by one pair of pictures, in the worker that has both: by the very calls that a run makes. */
import type { GpuTrial } from '../types/GpuTrial';
import type { MetricTime } from '../types/MetricTime';
import type { Measurer, MetricsEdge } from './edge';

const SIDE = 1024;
/** Pairs of a submission, and submissions at once, as in a run. */
const TOGETHER = 4;
const SUBMISSIONS = 2;
/** The fastest of so many turns counts on the CPU: the first one is slower. */
const TURNS = 2;

interface WithGpu {
  gpu?: { requestAdapter(options: object): Promise<{ info?: Record<'vendor' | 'architecture' | 'device' | 'description', string> } | null> };
}

/** The GPU in the browser's words; a browser may keep most of them to itself. */
async function adapterName(): Promise<string> {
  const adapter = await (navigator as WithGpu).gpu?.requestAdapter({ powerPreference: 'high-performance' });
  const { vendor = '', architecture = '', device = '', description = '' } = adapter?.info ?? {};
  return [vendor, architecture, device, description].filter((word) => word !== '').join(' ');
}

/** A JPEG with edges, slopes and grain; another shift draws another one. */
async function picture(shift: number): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws nothing in a worker.');
  const image = context.createImageData(SIDE, SIDE);
  for (let at = 0; at < image.data.length; at += 4) {
    const [x, y] = [(at >> 2) % SIDE, Math.floor((at >> 2) / SIDE)];
    const base = ((x >> 6) ^ (y >> 6)) & 1 ? 150 : 60;
    const grain = ((x * 73 + y * 151 + shift * 17) % 29) - 14;
    image.data.set([base + (x >> 4) + grain, base + (y >> 4) - grain, base + grain, 255], at);
  }
  context.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** The least time of a few turns. */
function fastest(turn: () => void): number {
  const times = Array.from({ length: TURNS }, () => {
    const begun = performance.now();
    turn();
    return performance.now() - begun;
  });
  return Math.min(...times);
}

/** Times the metrics that no earlier trial of this GPU has; `known` are the earlier trials. */
export async function trialOf(edge: MetricsEdge, measurer: Measurer, metrics: readonly string[], known: readonly GpuTrial[]): Promise<GpuTrial> {
  const adapter = await adapterName();
  if (measurer.is_software()) return { adapter, is_software: true, decoding_ms: 0, times: [] };
  const earlier = known.find((one) => one.adapter === adapter);
  const missing = metrics.filter((id) => earlier?.times.some(({ metric }) => metric === id) !== true);
  if (earlier !== undefined && missing.length === 0) return earlier;
  const [reference, candidate] = [await picture(0), await picture(1)];
  const decoding_ms = fastest(() => new edge.DecodedPair(reference, candidate).free());
  const pair = new edge.DecodedPair(reference, candidate);
  try {
    const planes = pair.planes();
    const submit = (metric: string, count: number): Promise<unknown> =>
      measurer.complete(
        [metric],
        Array.from({ length: count }, () => ({ row: [null], planes })),
      );
    const times: MetricTime[] = [];
    for (const metric of missing) {
      const cpu_ms = fastest(() => pair.row([metric]));
      let gpu_ms: number | null = null;
      if (pair.row([metric], []).includes(null)) {
        // The first one compiles shaders.
        await submit(metric, 1);
        const begun = performance.now();
        await Promise.all(Array.from({ length: SUBMISSIONS }, () => submit(metric, TOGETHER)));
        gpu_ms = (performance.now() - begun) / (SUBMISSIONS * TOGETHER);
      }
      times.push({ metric, gpu_ms, cpu_ms });
    }
    return { adapter, is_software: false, decoding_ms, times: [...(earlier?.times ?? []), ...times] };
  } finally {
    pair.free();
  }
}
