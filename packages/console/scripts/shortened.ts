const LONGEST_LINE = 120;

/**
 * Shortens types that openapi-typescript has written. Leaves out methods, bodies and parameters that do not exist (except `query`,
 * which client.ts reads), headers of any name, comments that only repeat a format, and those that a shared parameter has itself.
 * Writes objects on one line if they fit.
 */
export const shortened = (types: string): string =>
  onOneLine(
    types
      .replaceAll(/^ {8}parameters: \{\n(?: +\w+\?: never;\n)+ +\};\n/gm, '')
      .replaceAll(
        /^ +(?:header|path|cookie|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm,
        '',
      )
      .replaceAll(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
      .replaceAll(
        /^ +\/?\*\*? (?:@description (?:Default Response|Error)|@enum \{unknown\}|Format: [\w-]+)(?: \*\/)?\n/gm,
        '',
      )
      .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
      .replaceAll(/^ +\/\*\*\n +\*\/\n/gm, '')
      .replaceAll(/^ +\/\*\* .* \*\/\n(?= +\S+ components\["parameters"\])/gm, ''),
  );

function onOneLine(types: string): string {
  const next = types.replaceAll(
    /^( *.*\{)\n((?: +[^\s}/*].*;\n)+) +(\}.*)$/gm,
    (block: string, start: string, members: string, end: string) => {
      const line = `${start} ${members.trim().replaceAll(/\n +/g, ' ')} ${end}`;
      return line.length > LONGEST_LINE ? block : line;
    },
  );
  return next === types ? types : onOneLine(next);
}
