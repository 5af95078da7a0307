import { expect, test } from 'vitest';
import { compareVersions, formatCompilerVersion, isVersion, parseCompilerVersion } from './compiler-version.ts';

test.each([
  ['v0.8.19+commit.7dd6d404', '0.8.19+commit.7dd6d404'],
  ['0.8.19+commit.7dd6d404.Emscripten.clang', '0.8.19+commit.7dd6d404'],
  ['0.4.9+commit.364da425.Emscripten.clang', '0.4.9+commit.364da425'],
  ['0.8.20-nightly.2023.4.5+commit.0ABC1234', '0.8.20-nightly.2023.4.5+commit.0abc1234'],
  [' v0.5.17 ', '0.5.17'],
])('%s is %s', (text, long) => {
  expect(formatCompilerVersion(parseCompilerVersion(text)!)).toBe(long);
});

test.each(['', 'latest', '0.8', 'vyper:0.3.10', '0.8.19+commit.', '0.8.19+commit.xyz', '../0.8.19', '0.8.19/../../x'])(
  '"%s" is no version',
  (text) => {
    expect(parseCompilerVersion(text)).toBeNull();
  },
);

test.each([
  ['0.8.19+commit.7dd6d404', '0.8.19+commit.7dd6d404', true],
  ['0.8.19+commit.7dd6d404', '0.8.19', true],
  ['0.8.19+commit.7dd6d404', '0.8.19+commit.7dd6d40', true],
  ['0.8.19+commit.7dd6d404', '0.8.19+commit.7dd6d405', false],
  ['0.7.5+commit.eb77ed08', '0.8.7+commit.e28d00a7', false],
  ['0.3.5', '0.3.5+commit.5f97274a', true],
  ['0.8.19', '0.8.19+commit.7dd6d404', false],
])('compiler %s for %s: %s', (compiler, wanted, is) => {
  expect(isVersion(parseCompilerVersion(compiler)!, parseCompilerVersion(wanted)!)).toBe(is);
});

test('newest first, by number', () => {
  const versions = ['0.4.26', '0.8.4', '0.8.19'].map((text) => parseCompilerVersion(text)!);
  expect(versions.sort(compareVersions).map((version) => version.number)).toEqual(['0.8.19', '0.8.4', '0.4.26']);
});
