// Kills workers of a `serve --workers` under load, and prints what became of the requests. Ends with 1 where one did
// not end.
//
//   node scripts/run.mjs test/system/run-kills.ts [--kills 200] [--workers 4] [--clients 32] [--port 0]
import { parseArgs } from 'node:util';
import { killWorkersUnderLoad } from './kill-workers.ts';
import { serveWithWorkers } from './serve-workers.ts';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    workers: { type: 'string', default: '4' },
    clients: { type: 'string', default: '32' },
    port: { type: 'string', default: '0' },
  },
});
const serving = await serveWithWorkers(Number(options.workers), { port: Number(options.port) });
try {
  const figures = await killWorkersUnderLoad({
    url: serving.url,
    supervisorPid: serving.mirror.child.pid!,
    kills: Number(options.kills),
    clients: Number(options.clients),
    maxMs: 30_000,
    onKill: (kills) => {
      if (kills % 20 === 0) console.log(`${kills} kills`);
    },
  });
  console.log(JSON.stringify(figures));
  if (figures.hanging > 0 || figures.leftOpen > 0) process.exitCode = 1;
} finally {
  await serving.close();
}
