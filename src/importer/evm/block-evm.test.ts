import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileContents } from '../block/file-contents.ts';
import { trimTopic } from '../columns/stored-values.ts';
import { addBloom, createBlockEvm } from './block-evm.ts';
import { decodeHexFile } from './ethereum-data.ts';
import { compactBloom } from './log-bloom.ts';

describe('contract facts', () => {
  it('trim topics to their number and never to nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 32 }), (topic) => {
        const trimmed = trimTopic(topic)!;
        expect(trimmed.length).toBeGreaterThan(0);
        expect(toNumber(trimmed)).toBe(toNumber(topic));
        expect(trimmed.length === 1 || trimmed[0] !== 0).toBe(true);
      }),
    );
    expect(trimTopic(undefined)).toBeNull();
  });

  it('keep a bloom of zeros as nothing, every other one whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 256, maxLength: 256 }), (bloom) => {
        expect(compactBloom(bloom)).toEqual(bloom.some((byte) => byte !== 0) ? bloom : new Uint8Array(0));
      }),
    );
    expect(compactBloom(new Uint8Array(256))).toHaveLength(0);
    expect(compactBloom(null)).toHaveLength(0);
  });

  it('OR blooms in any order', () => {
    const bloom = fc.uint8Array({ minLength: 256, maxLength: 256 });
    fc.assert(
      fc.property(fc.array(bloom, { minLength: 1, maxLength: 4 }), (blooms) => {
        const [one, other] = [createBlockEvm(), createBlockEvm()];
        for (const part of blooms) addBloom(one, part);
        for (const part of blooms.toReversed()) addBloom(other, part);
        expect(one.logsBloom).toEqual(other.logsBloom);
        expect(one.logsBloom[7]).toBe(blooms.reduce((all, part) => all | part[7]!, 0));
      }),
    );
  });

  it('read files of hex text, with or without 0x', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), (bytes, prefixed) => {
        const text = (prefixed ? '0x' : '') + Buffer.from(bytes).toString('hex');
        expect(decodeHexFile(Buffer.from(text))).toEqual(Buffer.from(bytes));
      }),
    );
    for (const text of ['0', '0x0g', 'no']) expect(decodeHexFile(Buffer.from(text))).toBeNull();
  });
});

describe('file contents', () => {
  type Change = { kind: 'replace' | 'append'; bytes: Uint8Array };
  const change = fc.record({ kind: fc.constantFrom('replace' as const, 'append' as const), bytes: fc.uint8Array() });

  it('are what a plain buffer would be', () => {
    fc.assert(
      fc.property(fc.option(fc.uint8Array()), fc.array(change), (stored, changes: Change[]) => {
        const files = createFileContents(new Map(stored ? [[9n, stored]] : []));
        let model: Buffer | null = stored ? Buffer.from(stored) : null;
        for (const { kind, bytes } of changes) {
          files[kind](9n, bytes);
          model = kind === 'replace' ? Buffer.from(bytes) : Buffer.concat([model ?? Buffer.alloc(0), bytes]);
          const read = files.read(9n);
          expect(read && Buffer.from(read)).toEqual(model);
        }
        expect(files.read(8n)).toBeNull();
      }),
    );
  });
});

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}
