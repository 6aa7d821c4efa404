/** Trials of the GPUs of this machine, which are kept in this browser. */
import type { GpuTrial } from '../types/GpuTrial';

const KEY = 'juror-gpu-trials';

/** What is kept; nothing where the browser keeps nothing. */
export function keptTrials(): GpuTrial[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isTrial) : [];
  } catch {
    return [];
  }
}

function isTrial(one: unknown): one is GpuTrial {
  if (typeof one !== 'object' || one === null || !('adapter' in one) || !('times' in one) || !('decoding_ms' in one)) return false;
  return typeof one.adapter === 'string' && typeof one.decoding_ms === 'number' && Array.isArray(one.times) && one.times.every(isTime);
}

function isTime(one: unknown): boolean {
  if (typeof one !== 'object' || one === null || !('metric' in one) || !('cpu_ms' in one) || !('gpu_ms' in one)) return false;
  return typeof one.metric === 'string' && typeof one.cpu_ms === 'number' && (one.gpu_ms === null || typeof one.gpu_ms === 'number');
}

/** Keeps a trial; one of the same GPU is replaced. */
export function keepTrial(trial: GpuTrial): void {
  // A software GPU is known without one.
  if (trial.is_software) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...keptTrials().filter(({ adapter }) => adapter !== trial.adapter), trial]));
  } catch {
    // The next run measures again.
  }
}
