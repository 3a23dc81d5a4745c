import { array, assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyBuffer } from './body-buffer.ts';

test('a body is what its pieces are together, in memory that it owns', () => {
  assert(
    property(array(uint8Array({ maxLength: 40_000 }), { maxLength: 12 }), (pieces) => {
      const body = createBodyBuffer();
      for (const piece of pieces) expect(body.add(piece)).toBe(true);
      const whole = body.take();
      expect(Buffer.compare(whole, Buffer.concat(pieces))).toBe(0);
      expect(whole.buffer.byteLength).toBe(whole.byteLength);
      expect(body.take()).toHaveLength(0);
    }),
    { numRuns: 60 },
  );
});

test('a body in lines is accepted, a body in single bytes is not (finding N4)', () => {
  const line = Buffer.alloc(20, 'x');
  const lines = createBodyBuffer();
  for (let nth = 0; nth < 50_000; nth += 1) expect(lines.add(line)).toBe(true);
  const bytes = createBodyBuffer();
  const byte = line.subarray(0, 1);
  let accepted = 0;
  while (accepted < 100_000 && bytes.add(byte)) accepted += 1;
  expect(accepted).toBeLessThan(10_000);
});
