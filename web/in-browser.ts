// The browser's entry to core: bundled by the test that runs the golden cases in Chromium.

export * as core from '../src/core/index.ts';
