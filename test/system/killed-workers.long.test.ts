// Workers that are killed hard: every request ends, and no socket is left behind. 200 kills: test/system/run-kills.ts.
import { expect, it } from 'vitest';
import { killWorkersUnderLoad } from './kill-workers.ts';
import { serveWithWorkers } from './serve-workers.ts';

it.skipIf(process.platform !== 'linux')('no client waits forever, whatever worker is killed when', async () => {
  const serving = await serveWithWorkers(3);
  try {
    const supervisorPid = serving.mirror.child.pid!;
    const load = { url: serving.url, supervisorPid, kills: 6, clients: 32, maxMs: 60_000 };
    const figures = await killWorkersUnderLoad(load);
    expect(figures).toMatchObject({ kills: 6, hanging: 0, leftOpen: 0 });
    expect(figures.answered).toBeGreaterThan(figures.cut);
  } finally {
    await serving.close();
  }
});
