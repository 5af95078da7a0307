import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findRealData } from '../../test-support/streams/real-data.ts';
import { proto } from './hapi.ts';
import { isSuccess, responseCode, responseCodeName } from './response-codes.ts';

// Code and name of every response code of HAPI, tab between them.
const published = findRealData('hapi-response-codes.tsv');

describe('response codes', () => {
  it('are those of the package, but for renamed and newer ones', () => {
    const ofPackage = Object.entries(proto.ResponseCodeEnum).filter(([, code]) => typeof code === 'number');
    const differing = ofPackage
      .filter(([name, code]) => responseCodeName(Number(code)) !== name)
      .map(([, code]) => code);
    expect(ofPackage.length).toBeGreaterThan(380);
    expect(differing).toEqual([505, 506, 508, 511, 513]);
  });

  it.skipIf(published.isAbsent)(`are those that HAPI publishes${published.hint}`, () => {
    const lines = readFileSync(published.path, 'utf8').trim().split('\n').slice(1);
    expect(lines.length).toBe(397);
    expect(
      lines.filter((line) => line !== `${line.split('\t')[0]}\t${responseCodeName(Number.parseInt(line, 10))}`),
    ).toEqual([]);
  });

  it('mean success in three cases', () => {
    expect(Object.values(responseCode).filter(isSuccess)).toEqual([22, 104, 220]);
    expect(responseCode.SUCCESS).toBe(22);
    expect(responseCodeName(9999)).toBe('UNKNOWN');
  });
});
