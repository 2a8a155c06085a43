/** Names in documents that do not exist outside of the machine on which somebody wrote them. */

/** Hosts of others that the documents cite, each looked at by whoever added it. */
const HOSTS = new Set(
  `accounts.google.com cel.dev developer.okta.com developer.sailpoint.com developers.google.com docs.evolveum.com
  documentation.sailpoint.com github.com haveibeenpwned.com help.okta.com heyapi.dev learn.microsoft.com
  login.microsoftonline.com openapi-ts.dev owasp.org schemas.xmlsoap.org simpleicons.org support.google.com
  syncope.apache.org tabler.io www.conductorone.com www.keycloak.org www.standardwebhooks.com www.w3.org`.split(
    /\s+/,
  ),
);

/** Packages of npm that the documents install, other than those of this repository and of its lock file. */
const PACKAGES = new Set(['directus']);

/** Reserved for examples (RFC 2606, RFC 6761), of a network of your own, or a placeholder. */
const EXAMPLE =
  /(^|\.)(example|test|internal|invalid|localhost)$|(^|\.)example\.(com|org|net)$|^[\d.]+$|^[a-z]+$/;

/** Returns a sentence for each host, package and path in a document that no reader can reach. `packages` are those of the lock file. */
export function nameProblems(text: string, packages: ReadonlySet<string>): string[] {
  const hosts = Array.from(
    text.matchAll(/https?:\/\/(?:[^\s/@]+@)?([a-z0-9.-]+[a-z0-9])/gi),
    ([, host = '']) => host.toLowerCase(),
  );
  const unknown = hosts.filter((host) => !EXAMPLE.test(host) && !HOSTS.has(host));
  const installed = [
    ...Array.from(text.matchAll(/\bnpx ([^\s`|&;)]+)/g), ([, word = '']) => word),
    ...Array.from(text.matchAll(/\bnpm (?:install|i) ((?:[^\s`|&;)]+ ?)+)/g)).flatMap(([, words = '']) =>
      words.split(' '),
    ),
  ].flatMap(packageOf);
  const missing = installed.filter((name) => !packages.has(name) && !PACKAGES.has(name));
  const paths = text.match(/(?<![\w/.$}])\/(?:work|root|tmp\/[a-z]\b)\/[\w./-]+/g) ?? [];
  return [
    ...new Set(
      unknown.map((host) => `the host ${host} is neither an example nor listed in scripts/release/names.ts`),
    ),
    ...new Set(missing.map((name) => `the package ${name} is neither in the lock file nor listed`)),
    ...new Set(paths.map((path) => `${path} is a path of one machine`)),
  ];
}

/** Returns the name of the package that a word of a command of npm names. Flags, files and variables name none. */
function packageOf(word: string): string[] {
  const [, name] = /^((?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*)(@[\w.^~-]+)?$/.exec(word) ?? [];
  return name === undefined || name.endsWith('.tgz') ? [] : [name];
}
