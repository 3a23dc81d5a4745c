// Principal components of a set of vectors: the directions in which they differ most.

/** Rotations stop when the matrix is diagonal up to this share of its size. */
const TOLERANCE = 1e-20;
const MAX_SWEEPS = 30;

export interface Components {
  readonly mean: Float64Array;
  /** Unit vectors, the one with the largest variance first. */
  readonly axes: readonly Float64Array[];
  /** Share of the variance that they keep. */
  readonly retained: number;
}

export function principalComponents(vectors: readonly Float32Array[], count: number): Components {
  const size = vectors[0]?.length ?? 0;
  const mean = new Float64Array(size);
  for (const vector of vectors) vector.forEach((value, d) => (mean[d] = (mean[d] ?? 0) + value / vectors.length));
  const { values, axes } = eigenvectors(covariance(vectors, mean));
  const order = Array.from(values.keys()).toSorted((left, right) => (values[right] ?? 0) - (values[left] ?? 0));
  const total = values.reduce((sum, value) => sum + value, 0);
  const first = order.slice(0, count);
  return {
    mean,
    axes: first.map((at) => withFixedSign(axes[at] ?? new Float64Array(size))),
    retained: first.reduce((sum, at) => sum + (values[at] ?? 0), 0) / total,
  };
}

export function project({ mean, axes }: Components, vector: Float32Array): Float64Array {
  const centered = Float64Array.from(vector, (value, d) => value - (mean[d] ?? 0));
  return Float64Array.from(axes, (axis) => {
    let sum = 0;
    for (let d = 0; d < axis.length; d += 1) sum += (axis[d] ?? 0) * (centered[d] ?? 0);
    return sum;
  });
}

function covariance(vectors: readonly Float32Array[], mean: Float64Array): Float64Array[] {
  const size = mean.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) {
    const centered = Float64Array.from(vector, (value, d) => value - (mean[d] ?? 0));
    for (let i = 0; i < size; i += 1) {
      const row = matrix[i] as Float64Array;
      const factor = (centered[i] ?? 0) / vectors.length;
      for (let j = 0; j <= i; j += 1) row[j] = (row[j] ?? 0) + factor * (centered[j] ?? 0);
    }
  }
  matrix.forEach((row, i) => {
    for (let j = i + 1; j < size; j += 1) row[j] = matrix[j]?.[i] ?? 0;
  });
  return matrix;
}

/** By Jacobi rotations; the matrix is symmetric, and is changed. */
function eigenvectors(matrix: readonly Float64Array[]): {
  readonly values: Float64Array;
  readonly axes: readonly Float64Array[];
} {
  const size = matrix.length;
  const axes = Array.from({ length: size }, (_, i) => Float64Array.from({ length: size }, (__, j) => Number(i === j)));
  const at = (i: number, j: number): number => matrix[i]?.[j] ?? 0;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let outside = 0;
    let inside = 0;
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1)
        if (i === j) inside += at(i, i) ** 2;
        else outside += at(i, j) ** 2;
    if (outside <= TOLERANCE * inside) break;
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) rotate(matrix, axes, p, q);
  }
  return { values: Float64Array.from({ length: size }, (_, i) => at(i, i)), axes };
}

function rotate(matrix: readonly Float64Array[], axes: readonly Float64Array[], p: number, q: number): void {
  const rowP = matrix[p] as Float64Array;
  const rowQ = matrix[q] as Float64Array;
  const between = rowP[q] ?? 0;
  if (between === 0) return;
  const theta = ((rowQ[q] ?? 0) - (rowP[p] ?? 0)) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (const row of matrix) turn(row, p, row, q, cosine, sine);
  turnRows(rowP, rowQ, cosine, sine);
  turnRows(axes[p] as Float64Array, axes[q] as Float64Array, cosine, sine);
}

function turnRows(left: Float64Array, right: Float64Array, cosine: number, sine: number): void {
  for (let d = 0; d < left.length; d += 1) turn(left, d, right, d, cosine, sine);
}

// oxlint-disable-next-line max-params -- two places and an angle; an object for each of 10^9 calls would cost minutes
function turn(left: Float64Array, l: number, right: Float64Array, r: number, cosine: number, sine: number): void {
  const a = left[l] ?? 0;
  const b = right[r] ?? 0;
  left[l] = cosine * a - sine * b;
  right[r] = sine * a + cosine * b;
}

/** An axis and its opposite are equally good; the largest component is made positive. */
function withFixedSign(axis: Float64Array): Float64Array {
  const largest = axis.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  return largest < 0 ? axis.map((value) => -value) : axis;
}
