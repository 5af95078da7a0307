import { expect, it } from 'vitest';
import { isPublicName } from './is-public-name.ts';

it.each([
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'database',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'metadata.goog',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
  'kubernetes.default.svc.cluster.local',
  'kubernetes.default.svc',
  'kubernetes.default.svc.',
  'KUBERNETES.DEFAULT.SVC',
  'kubernetes.default',
  '10-0-0-1.default.pod',
  'postgres.mirror.svc.cluster.local',
  'postgres.mirror.svc.cluster',
  'vault.service.consul',
  'host.docker.internal',
  'router.home.arpa',
  '1.0.0.10.in-addr.arpa',
  'fritz.box',
  'nas.fritz.box',
  'example.c',
  'example.c0m',
  'a..com',
  '.com',
  '127.0.0.1.nip.io',
  '7f000001.nip.io',
  'nip.io',
  '--1.sslip.io',
  'anything.localtest.me',
  'app.10.0.0.1.example.com',
  'app-169-254-169-254.example.com',
  '1.192.168.0.1.example.com',
  'ip-172-16-4-5.example.com',
])('%s is none of the public internet', (name) => {
  expect(isPublicName(name)).toBe(false);
});

it.each([
  'example.com',
  'svc.example.com',
  'kubernetes.default.svc.example.com',
  'a.b.cloud',
  'my_hook.example.com',
  'hooks.example.com.',
  'ec2-54-1-2-3.compute.amazonaws.com',
  'my-metadata.example.com',
  'notnip.io',
  'v1.2.3.example.com',
  '300-1-1-1.example.com',
  'localhost.example.com',
  'xn--e1afmkfd.xn--p1ai',
])('%s may be', (name) => {
  expect(isPublicName(name)).toBe(true);
});
