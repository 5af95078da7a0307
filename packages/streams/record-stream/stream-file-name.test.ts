import { describe, expect, it } from 'vitest';
import { recordFileName, signatureFileName } from '../../simulated-network/formats/stream-file-names.ts';
import { parseStreamFileName, sidecarFileName } from './stream-file-name.ts';

const instant = '2022-07-13T08_46_11.304284003Z';

describe('names of stream files', () => {
  it.each([
    [`${instant}.rcd`, 'record', false, null],
    [`${instant}.rcd.gz`, 'record', true, null],
    [`${instant}.rcd_sig`, 'signature', false, null],
    [`${instant}.rcd_sig.gz`, 'signature', true, null],
    [`${instant}_01.rcd.gz`, 'sidecar', true, 1],
    [`${instant}_12.rcd`, 'sidecar', false, 12],
  ])('%s', (name, kind, compressed, sidecarId) => {
    expect(parseStreamFileName(name)).toEqual({
      kind,
      instant,
      timestamp: 1_657_701_971_304_284_003n,
      compressed,
      sidecarId,
    });
  });

  it.each([
    '',
    instant,
    `.${instant}.rcd.tmp`,
    `${instant}.rcd.gz.tmp`,
    `${instant}_01.rcd_sig`,
    '2022-99-13T08_46_11Z.rcd',
  ])('are not "%s"', (name) => expect(parseStreamFileName(name)).toBeNull());

  it('follow from the moment of the first transaction', () => {
    const record = recordFileName(1_657_701_971_304_284_003n);
    expect(record).toBe(`${instant}.rcd.gz`);
    expect(signatureFileName(record)).toBe(`${instant}.rcd_sig`);
    expect(signatureFileName(`${instant}.rcd`)).toBe(`${instant}.rcd_sig`);
    expect(sidecarFileName(record, 1)).toBe(`${instant}_01.rcd.gz`);
  });
});
