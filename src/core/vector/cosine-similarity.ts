// How alike two vectors are. All vectors have length 1, so the cosine is the sum of products.

export function similarity(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < left.length; d += 1) sum += (left[d] ?? 0) * (right[d] ?? 0);
  return sum;
}
