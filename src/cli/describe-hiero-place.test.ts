import { expect, it } from 'vitest';
import { loadSettings } from '../runtime/settings/load-settings.ts';
import { describeHieroPlace } from './describe-hiero-place.ts';

const url = 'http://127.0.0.1:5551';
const tell = (...flags: string[]): string | null => describeHieroPlace(loadSettings('serve', flags, {}), url);

it('says where clients of the mirror node find what they know', () => {
  expect(tell()).toMatch(/SDKs.*: http:\/\/127\.0\.0\.1:5551\/hiero\/api\/v1\. .*--dialect hiero.*--port-hiero/);
  expect(tell('--port-hiero', '5999')).toMatch(/: http:\/\/127\.0\.0\.1:5999\/api\/v1 and .*:5551\/hiero\/api\/v1\.$/);
  expect(tell('--dialect', 'hiero')).toBeNull();
});
