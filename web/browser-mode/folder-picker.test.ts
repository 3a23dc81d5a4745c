import { expect, test } from 'vitest';
import { filesFromInput } from './folder-picker.tsx';

test('the list of a file field is read in tasks of its own, and in short ones', async () => {
  let read = 0;
  const file = (nth: number): object => ({
    get webkitRelativePath() {
      read += 1;
      const end = performance.now() + 5;
      while (performance.now() < end);
      return `docs/part/page-${nth}.md`;
    },
  });
  const reading = filesFromInput(Array.from({ length: 20 }, (_, nth) => file(nth)) as unknown as FileList);
  expect(read).toBe(0);
  const most: number[] = [];
  const timer = setInterval(() => most.push(read), 0);
  const { name, files } = await reading;
  clearInterval(timer);
  expect(most.some((count) => count > 0 && count < 20)).toBe(true);
  expect(name).toBe('docs');
  expect(files.map(({ path }) => path)).toContain('part/page-19.md');
});
