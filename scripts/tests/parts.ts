import { PACKAGES as IMAGE_PACKAGES } from '../images/podman.ts';

/** A part of the tests that runs alone. */
export interface Part {
  /** Its name, which is also that of its run in vitest.config.ts. */
  name: string;
  /** Debian packages that its tests use. Without a group, the tests that need it are skipped. */
  packages: string[][];
  /** An environment variable without which no test of this part runs, with what to set it to. */
  needs?: { variable: string; what: string };
}

/** The parts that `npm run test:all` runs, in this order. */
export const PARTS: Part[] = [
  // The same as `npm test`. It records the statements that the part `citus` plans.
  { name: 'once', packages: [] },
  { name: 'pglite', packages: [] },
  {
    name: 'citus',
    packages: [['libicu72', 'liblz4-1', 'libzstd1', 'libssl3']],
    needs: { variable: 'GATEHOUSE_CITUS_DIR', what: 'the folder of a PostgreSQL 18 with Citus 14' },
  },
  { name: 'browser', packages: [['chromium', 'chromium-headless-shell'], ['firefox-esr']] },
  {
    name: 'servers',
    packages: [
      ['pgbouncer'],
      ['slapd', 'ldap-utils', 'openssl'],
      ['389-ds-base'],
      ['samba-ad-dc', 'samba-ad-provision', 'samba-dsdb-modules', 'ldb-tools'],
      ['postgresql'],
      ['mariadb-server'],
      ['rabbitmq-server'],
      // Redmine's packages are configured with Debian's Bundler, which comes first.
      ['ruby-bundler'],
      ['redmine', 'redmine-sqlite', 'dbconfig-no-thanks', 'puma'],
    ],
  },
  { name: 'long', packages: [['bubblewrap']] },
  { name: 'images', packages: [IMAGE_PACKAGES] },
];
