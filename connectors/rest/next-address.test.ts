import { describe, expect, test } from 'vitest';
import { nextLink } from './links.ts';
import { nextAddress } from './next-address.ts';

describe('a Link header', () => {
  test.each<[string, string | string[] | undefined, string | undefined]>([
    ['is absent', undefined, undefined],
    ['has no next page', '<https://a/?page=1>; rel="prev"', undefined],
    ['has a next page', '<https://a/?page=2>; rel="next"', 'https://a/?page=2'],
    ['has it behind quoted commas', '</1>; title="a, <b>; rel=\\"next\\""; rel=prev, </2>; rel=next', '/2'],
    ['has it among several relations', '</2>; rel="prev NEXT"', '/2'],
    ['has it in a second header', ['</1>; rel="first"', '</2>;REL=next'], '/2'],
    ['names the same page twice', '</2>; rel="next", </2>; rel="next"', '/2'],
    ['has "next" elsewhere', '</next>; rel="prev"; title=next', undefined],
  ])('%s', (_, header, target) => {
    expect(nextLink(header)).toBe(target);
  });

  test.each([
    ['has no address', '<>; rel="next"', /has no address for rel="next"/],
    ['has a blank address', '< >; rel="next"', /has no address/],
    ['names two pages', '</2>; rel="next", </3>; rel="next"', /has several addresses/],
    ['has an open quote', '</2>; rel="next', /malformed/],
    ['has no brackets', '/users?page=2; rel="next"', /malformed/],
  ])('is an error if it %s', (_, header, message) => {
    expect(() => nextLink(header)).toThrow(message);
  });
});

describe('the address of the next page', () => {
  const at = (path: string, target: unknown, origin?: 'base_url', base = '/') => {
    const url = new URL(path, 'https://gateway.example');
    const request = { method: 'GET', url, headers: {} } as const;
    return nextAddress(request, { target, from: url, base }, origin ? { origin } : {})?.href.replace(
      'https://gateway.example',
      '',
    );
  };

  test.each([null, undefined, ''])('may be %j after the last page', (target) => {
    expect(at('/users', target)).toBeUndefined();
  });

  test.each([true, 7, {}, 'data:text/plain,x', 'http://'])('must be a URL, not %j', (target) => {
    expect(() => at('/users', target)).toThrow('the address of the next page is not a URL');
  });

  test.each([
    ['/api/users', '?page=2', '/api/users?page=2'],
    ['/api/users', '/api/users?page=2', '/api/users?page=2'],
    ['/api/users', 'https://gateway.example/other?after=x', '/other?after=x'],
    ['/api/users', 'https://u:p@gateway.example/api/users?after=x#end', '/api/users?after=x'],
  ])('of %s may be %s', (path, target, href) => {
    expect(at(path, target)).toBe(href);
  });

  test.each([
    'http://app.internal:8080/api?page=2',
    'http://gateway.example/api?page=2',
    '//evil.example/api',
  ])('at another origin is refused: %s', (target) => {
    expect(() => at('/api', target)).toThrow(
      /the next page is at another origin, .*set "paginate.origin: base_url"/,
    );
  });

  test.each([
    ['/api/users', 'http://app.internal:8080/api/users?page=2', '/', '/api/users?page=2'],
    ['/wiki/users', 'http://app.internal:8080/users?page=2', '/wiki', '/wiki/users?page=2'],
    ['/wiki/users', 'http://app.internal:8080/wiki/pages/2', '/wiki', '/wiki/pages/2'],
  ])('of %s stays at base_url if the definition says so: %s', (path, target, base, href) => {
    expect(at(path, target, 'base_url', base)).toBe(href);
  });

  test('must be below base_url', () => {
    expect(() => at('/wiki/users', 'http://app.internal/other?page=2', 'base_url', '/wiki')).toThrow(
      'the path of the next page, /other, is not below base_url',
    );
  });

  test.each([
    [
      'the number of a page',
      '/users?state=on&size=50&role=a&role=b',
      '?page=2',
      '?page=2&state=on&size=50&role=a&role=b',
    ],
    ['an offset', '/users?state=on&offset=0', '?offset=50&state=on', '?offset=50&state=on'],
    ['a number, and not another one', '/users?state=on&page=1', '?offset=50', '?offset=50&state=on'],
    ['a token', '/users?state=on', '?after=abc', '?after=abc'],
    ['a page that is a token', '/users?state=on', '?page=abc', '?page=abc'],
  ])('keeps the parameters of the request with %s', (_, path, target, query) => {
    expect(at(path, target)).toBe(`/users${query}`);
  });
});
