import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface Certificate {
  key: string;
  cert: string;
}

/** Makes a self-signed certificate for names such as `DNS:mail.example.test` or `IP:127.0.0.1`. */
export function makeCertificate(names: string, { expired = false } = {}): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    writeFileSync(join(folder, 'index'), '');
    // Only `openssl ca` sets the dates of a certificate in every version of OpenSSL 3.
    writeFileSync(
      join(folder, 'ca.conf'),
      [
        '[ca]\ndefault_ca = own',
        '[own]\ndatabase = index\nserial = serial\nnew_certs_dir = .\ndefault_md = sha256\npolicy = names\nx509_extensions = more',
        '[names]\ncommonName = supplied',
        `[more]\nsubjectAltName = ${names}`,
      ].join('\n'),
    );
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key.pem');
    // OpenSSL finds authorities by their names.
    openssl('req', '-new', '-key', 'key.pem', '-subj', `/CN=${randomUUID()}`, '-out', 'request.pem');
    const [start, end] = expired
      ? ['20200101000000Z', '20200102000000Z']
      : ['20200101000000Z', '20990102000000Z'];
    const signing = ['-selfsign', '-batch', '-notext', '-config', 'ca.conf', '-rand_serial'];
    const dates = ['-startdate', start, '-enddate', end];
    openssl('ca', ...signing, ...dates, '-keyfile', 'key.pem', '-in', 'request.pem', '-out', 'cert.pem');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets this process trust the certificate, as NODE_EXTRA_CA_CERTS does. */
export const trust = ({ cert }: Certificate) =>
  setDefaultCACertificates([...getCACertificates('default'), cert]);
