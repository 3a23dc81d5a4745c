// Cosine similarity. All vectors are unit vectors, so it is the dot product.

export function cosineSimilarity(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < left.length; d += 1) sum += (left[d] ?? 0) * (right[d] ?? 0);
  return sum;
}
