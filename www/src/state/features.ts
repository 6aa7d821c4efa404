/** Features of pictures one after the other, as networks take them, and how many numbers each has; all are of one network. */
export function joined(features: readonly Float32Array[]): { numbers: Float32Array; width: number } {
  const width = features[0]?.length ?? 0;
  const numbers = new Float32Array(features.length * width);
  features.forEach((one, at) => numbers.set(one, at * width));
  return { numbers, width };
}
