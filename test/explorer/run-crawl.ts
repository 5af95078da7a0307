// Follows the links of 2,000 pages of a simulated network and judges each.
//   node scripts/run.mjs test/explorer/run-crawl.ts [--pages 2000] [--blocks 200] [--seed text]
import { parseArgs } from 'node:util';
import { crawl, kindOf } from '../support/crawl.ts';
import { compareWithApi } from './compare-with-api.ts';
import { openCrawled } from './crawl-server.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    blocks: { type: 'string', default: '200' },
    seed: { type: 'string', default: 'crawl' },
  },
});
const server = await openCrawled({ seed: values.seed, blocks: Number(values.blocks) });
const begun = performance.now();
const { pages, files, findings } = await crawl(server.fetch, {
  start: ['/', '/api'],
  maxPages: Number(values.pages),
  judge: (path, page) => compareWithApi(path, page, server.askJson),
});
const kinds = Map.groupBy(pages, kindOf);
for (const [kind, paths] of [...kinds].sort()) console.log(`${paths.length.toString().padStart(5)}  ${kind}`);
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(`${pages.length} pages, ${files.length} files, ${findings.length} findings in ${seconds} s`);
for (const finding of findings.slice(0, 100)) console.log(finding);
await server.close();
process.exit(findings.length === 0 ? 0 : 1);
