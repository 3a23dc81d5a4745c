// A process that does nothing but watch its event loop, in the way the server does: how long a process is held up by the machine
// alone. Started by fork; it answers each message with the longest delay since the last one, in milliseconds.

import { monitorEventLoopDelay } from 'node:perf_hooks';

const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();
process.on('message', () => {
  process.send?.(Math.round(loop.max / 1e6));
  loop.reset();
});
