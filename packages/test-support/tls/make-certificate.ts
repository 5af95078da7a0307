// A self-signed certificate for 127.0.0.1 and localhost: `cert.pem` and `key.pem` in a folder.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function makeCertificate(folder: string): void {
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', ...key, ...files, '-days', '2', '-subj', '/CN=localhost', '-addext', names],
    {
      stdio: 'pipe',
    },
  );
}
