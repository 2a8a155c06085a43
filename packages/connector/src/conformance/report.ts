import type { Finding } from './run.ts';

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' };

/** Formats findings for people, one line per check. */
export function asTable(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ id }) => id.length));
  const lines = findings.map(({ id, outcome, title, detail }) => {
    return `${marks[outcome]}  ${id.padEnd(width)}  ${detail ? `${title}: ${detail}` : title}`;
  });
  return [...lines, '', tally(findings)].join('\n');
}

export function tally(findings: Finding[]): string {
  const count = (outcome: Finding['outcome']) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

/** Formats findings as JUnit XML for CI systems. */
export function asJUnit(name: string, findings: Finding[]): string {
  const cases = findings.map(({ id, group, title, outcome, detail, ms }) => {
    const open = `<testcase classname="${escapeXml(`${name}.${group}`)}" name="${escapeXml(`${id}: ${title}`)}" time="${(ms / 1000).toFixed(3)}"`;
    if (outcome === 'passed') return `    ${open}/>`;
    const inner = `<${outcome === 'failed' ? 'failure' : 'skipped'} message="${escapeXml(detail)}"/>`;
    return `    ${open}>${inner}</testcase>`;
  });
  const count = (outcome: Finding['outcome']) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const head = `<testsuite name="${escapeXml(name)}" tests="${findings.length}" failures="${count('failed')}" skipped="${count('skipped')}">`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  ${head}`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // XML does not allow control characters, not even escaped.
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char).replace(/\p{Cc}/gu, ' ');
}
