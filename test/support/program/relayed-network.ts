// A simulated network whose files reach the mirror through the test, which can hold them back and change them.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createNetwork } from '../../../packages/simulated-network/network.ts';

export type RelayedNetwork = {
  /** Folder that the mirror reads. */
  sourcePath: string;
  addressBookPath: string;
  /** While true no file passes; files written meanwhile follow later. */
  isHeld: boolean;
  /** While true the record files of all nodes arrive with one byte changed. */
  isTampering: boolean;
  /** Restores changed files. */
  repair(): void;
  close(): Promise<void>;
};

/** Writes a block every `blockMs`, and passes files on. */
export async function relayNetwork(folder: string, blockMs: number): Promise<RelayedNetwork> {
  const written = join(folder, 'written');
  const sourcePath = join(folder, 'source');
  const network = await createNetwork({ folder: written, seed: 'relayed', nodes: 3 });
  const passed = new Set<string>();
  const tampered = new Set<string>();
  let isEnding = false;

  const relay: RelayedNetwork = {
    sourcePath,
    addressBookPath: network.addressBookPath,
    isHeld: false,
    isTampering: false,
    repair() {
      for (const name of tampered) deliver(name, readFileSync(join(written, 'recordstreams', name)));
      tampered.clear();
    },
    async close() {
      isEnding = true;
      await running;
      await network.close();
    },
  };

  function deliver(name: string, bytes: Buffer): void {
    const path = join(sourcePath, 'recordstreams', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.tmp`, bytes);
    renameSync(`${path}.tmp`, path);
  }

  function passOn(): void {
    const names = readdirSync(join(written, 'recordstreams'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(written, 'recordstreams').length + 1))
      .filter((name) => !passed.has(name))
      // Signatures last, after the data that they sign.
      .sort((a, b) => Number(a.includes('_sig')) - Number(b.includes('_sig')));
    for (const name of names) {
      const bytes = readFileSync(join(written, 'recordstreams', name));
      const isRecord = /\.rcd(\.gz)?$/.test(name) && !name.includes('sidecar');
      if (relay.isTampering && isRecord) tampered.add(name);
      deliver(name, tampered.has(name) ? changeOneByte(bytes) : bytes);
      passed.add(name);
    }
  }

  async function run(): Promise<void> {
    while (!isEnding) {
      await network.writeBlock({
        consensusStart: BigInt(Date.now()) * 1_000_000n,
        duration: 1_000_000n,
        transactions: 2,
      });
      if (!relay.isHeld) passOn();
      await sleep(blockMs);
    }
  }
  const running = run();
  mkdirSync(sourcePath, { recursive: true });
  copyFileSync(network.addressBookPath, join(sourcePath, 'addressbook.bin'));
  return relay;
}

/** Near its end, where amounts and signatures are: it can still be read, but differs from the signed file. */
function changeOneByte(file: Buffer): Buffer {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b;
  const content = Buffer.from(isPacked ? gunzipSync(file) : file);
  const place = content.length - 8;
  content[place] = content[place]! ^ 0x01;
  return isPacked ? gzipSync(content) : content;
}
