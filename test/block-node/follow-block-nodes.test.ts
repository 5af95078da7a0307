// Block nodes as an operator uses them: an import that is killed again and again while its nodes fail in every way,
// TLS, and what doctor says.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { startBlockNodeServer } from '../support/servers/block-node-server.ts';
import { rehearseBlockNodes } from './rehearse-block-nodes.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'follow-block-nodes-'));
  await writeNetwork({ folder, seed: 'follow', format: 'blocks', blocks: 3, transactions: 2 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = {
  block: (number: bigint): Buffer =>
    unpackBlockFile(readFileSync(join(folder, 'blocks', `${number.toString().padStart(19, '0')}.blk.gz`))),
  available: () => ({ first: 0n, last: 2n }),
};

test.runIf(isLong)(
  'every block once and in order, whatever the nodes do and whenever the import is killed',
  async () => {
    const report = await rehearseBlockNodes({ blocks: 160, kills: 3, seed: 'suite' });
    expect(report.numbers).toEqual(Array.from({ length: 160 }, (_, number) => BigInt(number)));
    expect(report.differences).toEqual([]);
    expect(report.kills).toBe(3);
    expect(Object.entries(report.faults).filter(([, count]) => count === 0)).toEqual([]);
  },
  300_000,
);

test.skipIf(isLong)(
  'doctor tells what a node has, and what is wrong with each',
  async () => {
    const server = await startBlockNodeServer(options);
    const doctor = async (source: string) => {
      // The database is not what this is about.
      const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
      const words = ['doctor', '--port', '0', '--data-dir', join(folder, 'data'), '--source', source];
      return (await runHere(words, { env })).output;
    };
    const good = await doctor(server.address);
    expect(good).toMatch(
      new RegExp(`^ok {5}source: ${server.address}: first block 0 \\(.*0\\.blk, \\d+ bytes\\)`, 'm'),
    );
    server.close();
    expect(await doctor(`${server.address},${folder}`)).toMatch(
      /^FAILED source: .*ECONNREFUSED.*Check host, port and that the node runs.*first block 0/m,
    );
    expect(await doctor('grpc://')).toMatch(/^FAILED source: .*write grpc:\/\/<host>:40840/m);
  },
  300_000,
);

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
})();

test.skipIf(isLong || !hasOpenssl)(
  `verifies over TLS${hasOpenssl ? '' : ' (skipped: no openssl to make a certificate)'}`,
  async () => {
    const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', keyPath, '-out', certPath], {
      stdio: 'pipe',
    });
    const server = await startBlockNodeServer({
      ...options,
      tls: { key: readFileSync(keyPath), cert: readFileSync(certPath) },
    });
    try {
      const env = { NODE_EXTRA_CA_CERTS: certPath };
      const trusting = runMirror(['verify', '--source', server.address], { env });
      expect([await trusting.ended, trusting.output()]).toEqual([0, expect.stringContaining('3 files are proved.')]);
      const refused = (says: RegExp) => ({ code: 1, output: expect.stringMatching(says) });
      const strange = await runHere(['verify', '--source', server.address]);
      expect(strange).toEqual(refused(/self-signed certificate/));
      const plain = await runHere(['verify', '--source', server.address.replace('grpcs', 'grpc')]);
      expect(plain).toEqual(refused(/grpcs:\/\/|Check host, port/));
    } finally {
      server.close();
    }
  },
  300_000,
);
