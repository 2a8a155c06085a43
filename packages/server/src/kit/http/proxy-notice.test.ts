import { expect, test } from 'vitest';
import { noticeProxy } from './proxy-notice.ts';

function open(trustProxy: false | number) {
  const lines: string[] = [];
  return {
    lines,
    notice: noticeProxy(trustProxy, { warn: (_: unknown, line: string) => void lines.push(line) }),
  };
}

test('says once that callers behind a proxy that is not trusted share one address', () => {
  const { lines, notice } = open(false);

  notice({ headers: {}, ip: '10.0.0.7' });
  notice({ headers: { 'x-forwarded-for': '192.0.2.1' }, ip: '10.0.0.7' });
  notice({ headers: { forwarded: 'for=192.0.2.1' }, ip: '10.0.0.7' });

  expect(lines).toEqual([expect.stringMatching(/10\.0\.0\.7.*Set GATEHOUSE_TRUST_PROXY/)]);
});

test('says nothing about a trusted proxy, or a header that a public address sends', () => {
  const trusted = open(1);
  trusted.notice({ headers: { 'x-forwarded-for': '192.0.2.1' }, ip: '10.0.0.7' });
  const direct = open(false);
  direct.notice({ headers: { 'x-forwarded-for': '10.0.0.1' }, ip: '8.8.8.8' });

  expect([trusted.lines, direct.lines]).toEqual([[], []]);
});
