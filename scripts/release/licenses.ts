/** The licenses of the packages that a running Gatehouse includes. */

/** A CycloneDX 1.5 document, as far as this check reads it. */
export interface BillOfMaterials {
  components: Component[];
}

interface Component {
  name: string;
  version: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
}

/** Licenses under which Gatehouse may be distributed under Apache-2.0 without obligations beyond a notice. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'PostgreSQL',
  'PSF-2.0',
  'Unlicense',
];

/** Returns a sentence for each package whose license is missing or not allowed. */
export function licenseProblems({ components }: BillOfMaterials): string[] {
  return components.flatMap((component) => {
    const license = licenseOf(component);
    if (license === '') return [`${component.name} ${component.version} states no license.`];
    return isAllowed(license)
      ? []
      : [
          `${component.name} ${component.version} has the license ${license}. Replace the package, or allow the license in scripts/release/licenses.ts.`,
        ];
  });
}

/** Returns the list of all packages with their versions and licenses, as a Markdown table. */
export function licenseTable({ components }: BillOfMaterials): string {
  const rows = components
    .map((component) => `| ${component.name} | ${component.version} | ${licenseOf(component)} |`)
    .sort();
  return [
    '# Packages and their licenses',
    '',
    '| package | version | license |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const licenseOf = ({ licenses = [] }: Component): string =>
  licenses
    .map((one) => ('expression' in one ? one.expression : (one.license.id ?? one.license.name ?? '')))
    .join(' AND ');

/** Whether one alternative of each part of an SPDX expression without nested parentheses is allowed. */
const isAllowed = (expression: string): boolean =>
  expression
    .split(/ OR /)
    .some((alternative) =>
      alternative.split(/ AND /).every((license) => ALLOWED.includes(license.replaceAll(/[()]/g, '').trim())),
    );
