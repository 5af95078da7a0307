import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// For tests that hang: most take less than a second. Tests that start programs, compile contracts or send thousands of
// requests set a longer timeout, because on a busy machine they may take ten times as long.
const timeouts = { testTimeout: 60_000, hookTimeout: 600_000 };

/** From the longest on, where vitest does not know yet how long each took: it begins with the largest files. What takes minutes and
 * comes last leaves one processor idle. */
const slow = [
  'test/verification/contract-command.test.ts',
  'test/verification/whole-ledger.test.ts',
  'test/verification/sourcify-v1.test.ts',
  'test/verification/contract-import-command.test.ts',
  'test/verification/contract-import.test.ts',
  'test/status/scenario.test.ts',
  'test/system/guide-commands.test.ts',
  'test/system/commands.test.ts',
  'test/system/start.test.ts',
  'test/raw-socket/smuggling.test.ts',
  'test/proof-documents/handed-over.test.ts',
  'test/verification/deployed-contracts.test.ts',
  'test/streams/large-blocks.test.ts',
  'test/verification/hostile-claims.test.ts',
  'test/crash/kill-importer.test.ts',
  'test/verification/similar-contracts.test.ts',
  'test/verification/contract-upload.test.ts',
  'test/verification/sourcify-sessions.test.ts',
  'test/verification/etherscan-calls.test.ts',
  'test/verification/decoded-answers.test.ts',
  'test/verification/sourcify-bodies.test.ts',
  'test/verification/signature-lookup.test.ts',
  'test/verification/hostile-exports.test.ts',
  'test/explorer/browser.test.ts',
  'test/explorer/crawl.test.ts',
  'test/proof-documents/kept-memory.test.ts',
  'test/status/split-deployment.test.ts',
  'test/status/shared-service.test.ts',
  'test/examples/examples.test.ts',
  'test/oracle/oracle.test.ts',
  'test/object-store/bucket-source.test.ts',
  'test/doors/block-node-door.test.ts',
  'test/block-node/follow-block-nodes.test.ts',
  'test/calls/reruns.test.ts',
  'test/doors/attack-doors.test.ts',
  'test/property/fields.test.ts',
  'test/verification/fair-queue.test.ts',
  'test/verification/demo-records.test.ts',
  'test/proof-documents/end-to-end.test.ts',
  'test/verification/explorer-checks.test.ts',
  'test/verification/verified-contracts.test.ts',
  'test/network/kill-network.test.ts',
  'test/verification/compiler-memory.test.ts',
  'test/proof-documents/record-endpoints.test.ts',
  'test/verification/foreign-chains.test.ts',
  'test/doors/doors.test.ts',
  'test/streams/strange-files.test.ts',
  'test/package/package.test.ts',
  'test/plans/plans.test.ts',
  'test/raw-socket/trust-proxy.test.ts',
  'test/soak/prove-cache.test.ts',
  'test/system/killed-workers.test.ts',
  'test/object-store/soak.test.ts',
  'test/proof-documents/page.test.ts',
  'test/corpus/foreign-database.test.ts',
  'test/corpus/corpus.test.ts',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((path) => moduleId.endsWith(path));
      return place === -1 ? slow.length : place;
    };
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

// Tests of the whole program spend half of their time waiting for processes and PostgreSQL, in which others run. One more is for
// the tests beside the code.
const workers = Math.min(4, availableParallelism() + 1) + 1;

// Node loads everything but the test files: with its compile cache that takes a third of the time that vite takes, and files with
// a process each load nearly all of the program.
const server = { deps: { external: [/^(?!.*\/node_modules\/).*(?<!\.test)\.m?[jt]s$/] } };

export default defineConfig({
  test: {
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts'],
    sequence: { sequencer: SlowFirst },
    maxWorkers: workers,
    projects: [
      {
        test: {
          name: 'code',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts'],
          // A thread keeps the modules of all its files: loading them for each file takes longer than most of the tests.
          pool: 'threads',
          isolate: false,
          server,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          pool: 'forks',
          server,
          setupFiles: ['test/support/program/keep-compiled.ts'],
          ...timeouts,
        },
      },
    ],
  },
});
