import { describe, expect, it } from 'vitest';
import { accessForAll, localAccess, refuseStranger, type WebAccess } from './web-access.ts';

const service: WebAccess = {
  hosts: ['mirror.example.org', '*.mirrors.example'],
  origins: ['https://app.example.org', 'null', 'chrome-extension://abc'],
  takesLocalPages: false,
};
const judge = (headers: Record<string, string>, access: WebAccess) =>
  refuseStranger(headers, access)?.code ?? 'allowed';

describe('the name that a service is asked by', () => {
  it.each([
    ['localhost', 'allowed'],
    ['localhost:5551', 'allowed'],
    ['LOCALHOST.:5551', 'allowed'],
    ['mirror.localhost:5551', 'allowed'],
    ['127.0.0.1:5551', 'allowed'],
    ['127.1.2.3', 'allowed'],
    ['[::1]:5551', 'allowed'],
    // Nobody else can have pointed an address here.
    ['10.0.0.7:5551', 'allowed'],
    ['[2001:db8::1]', 'allowed'],
    ['', 'allowed'],
    ['evil.example', 'hostNotAllowed'],
    ['evil.example:5551', 'hostNotAllowed'],
    ['localhost.evil.example', 'hostNotAllowed'],
    ['127.0.0.1.evil.example', 'hostNotAllowed'],
    ['evillocalhost', 'hostNotAllowed'],
    ['mirror.example.org', 'hostNotAllowed'],
    ['[::1', 'hostNotAllowed'],
    ['evil.example@127.0.0.1', 'hostNotAllowed'],
    ['127.0.0.1 evil.example', 'hostNotAllowed'],
    ['127.0.0.1:5551:evil', 'hostNotAllowed'],
    [':5551', 'hostNotAllowed'],
  ])('%j of this machine alone: %s', (host, expected) => {
    expect(judge({ host }, localAccess)).toBe(expected);
    expect(judge({ host }, accessForAll)).toBe('allowed');
  });

  it.each([
    ['mirror.example.org', 'allowed'],
    ['Mirror.Example.Org.:443', 'allowed'],
    ['a.mirrors.example', 'allowed'],
    ['a.b.mirrors.example:80', 'allowed'],
    ['localhost:5551', 'allowed'],
    ['127.0.0.1', 'allowed'],
    ['mirrors.example', 'hostNotAllowed'],
    ['amirrors.example', 'hostNotAllowed'],
    ['sub.mirror.example.org', 'hostNotAllowed'],
    ['evil.example', 'hostNotAllowed'],
  ])('%j of a service with names: %s', (host, expected) => {
    expect(judge({ host }, service)).toBe(expected);
  });

  it('is named in the refusal, and cut', () => {
    const refusal = refuseStranger({ host: 'x'.repeat(10_000) }, localAccess);
    expect(refusal).toEqual({ code: 'hostNotAllowed', data: { host: `${'x'.repeat(200)}…` } });
  });
});

describe('the page that asks a service', () => {
  it.each<[headers: Record<string, string>, expected: string]>([
    // Programs, which could say anything.
    [{}, 'allowed'],
    [{ 'sec-fetch-mode': 'cors' }, 'allowed'],
    [{ origin: 'http://localhost:3000' }, 'allowed'],
    [{ origin: 'https://app.localhost' }, 'allowed'],
    [{ origin: 'http://127.0.0.1' }, 'allowed'],
    [{ origin: 'http://[::1]:8080' }, 'allowed'],
    [{ origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn' }, 'allowed'],
    [{ origin: 'moz-extension://0a1b-2c' }, 'allowed'],
    [{ origin: 'https://evil.example' }, 'originNotAllowed'],
    [{ origin: 'https://localhost.evil.example' }, 'originNotAllowed'],
    [{ origin: 'https://localhost@evil.example' }, 'originNotAllowed'],
    [{ origin: 'null' }, 'originNotAllowed'],
    [{ origin: '' }, 'originNotAllowed'],
    [{ origin: 'file://' }, 'originNotAllowed'],
    [{ origin: 'web-extension://x' }, 'originNotAllowed'],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'originNotAllowed'],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }, 'originNotAllowed'],
    // A proxy may have changed the host that the browser asked.
    [{ origin: 'https://mirror.example.org', 'sec-fetch-site': 'same-origin' }, 'allowed'],
    [{ 'sec-fetch-site': 'none' }, 'allowed'],
    [{ 'sec-fetch-site': 'cross-site' }, 'originNotAllowed'],
  ])('%j of this machine alone: %s', (headers, expected) => {
    expect(judge({ host: '127.0.0.1:5551', ...headers }, localAccess)).toBe(expected);
    expect(judge({ host: '127.0.0.1:5551', ...headers }, accessForAll)).toBe('allowed');
  });

  it.each([
    ['https://app.example.org', 'allowed'],
    ['chrome-extension://abc', 'allowed'],
    ['null', 'allowed'],
    // Its own pages, at whichever protocol a proxy has.
    ['https://mirror.example.org', 'allowed'],
    ['http://mirror.example.org', 'allowed'],
    ['https://mirror.example.org:8443', 'originNotAllowed'],
    ['http://app.example.org', 'originNotAllowed'],
    ['https://app.example.org:8443', 'originNotAllowed'],
    ['https://app.example.org.evil.example', 'originNotAllowed'],
    ['http://localhost:3000', 'originNotAllowed'],
    ['chrome-extension://other', 'originNotAllowed'],
  ])('%j of a service with origins: %s', (origin, expected) => {
    expect(judge({ host: 'mirror.example.org', origin }, service)).toBe(expected);
  });
});
