import { expect, test } from 'vitest';
import { dnBelow, domainOf, isBelow, nameOf, parseDn } from './dn.ts';

test.each([
  ['case and spaces', 'OU=Team , DC=Acme, dc=example', 'ou=team,dc=acme,dc=example'],
  ['repeated spaces', 'cn=Ada   Byron,dc=acme', 'cn=ada byron,dc=acme'],
  ['escaped spaces at the ends', 'cn=\\20Ada\\ ,dc=acme', 'cn=ada,dc=acme'],
  ['a comma', 'ou=Smith\\, Jones,dc=acme', 'ou=Smith\\2C Jones,dc=acme'],
  ['a quoted value', 'ou="Smith, Jones",dc=acme', 'ou=Smith\\, Jones,dc=acme'],
  ['a quote in a quoted value', 'cn="say \\"hi\\"",dc=acme', 'cn=say \\22hi\\22,dc=acme'],
  ['bytes of UTF-8', 'ou=Gruppen K\\C3\\B6ln,dc=acme', 'ou=gruppen köln,dc=acme'],
  ['an accent of its own', 'ou=Ko\u0308ln', 'ou=K\u00f6ln'],
  ['capitals beyond ASCII', 'ou=KÖLN', 'ou=köln'],
  ['full width and ligatures', 'ou=Ａﬁ', 'ou=afi'],
  ['a soft hyphen', 'ou=Buch\u00adhaltung', 'ou=buchhaltung'],
  ['a space that does not break', 'ou=Team\u00a0A', 'ou=Team A'],
  ['pairs in any order', 'cn=Ada+uid=ada,dc=acme', 'UID=ada + CN=Ada,dc=acme'],
  ['numbers of types', '2.5.4.11=Team,OID.0.9.2342.19200300.100.1.25=acme', 'ou=Team,dc=acme'],
  ['long names of types', 'organizationalUnitName=Team,domainComponent=acme', 'ou=Team,dc=acme'],
  ['BER', 'ou=#040453696E67,dc=acme', 'ou=sing,dc=acme'],
  ['the case of BER', 'cn=#0201FF', 'cn=#0201ff'],
  ['BER with UTF-8', 'ou=#0c054bc3b66c6e', 'ou=Köln'],
  ['semicolons', 'ou=Team;dc=acme', 'ou=Team,dc=acme'],
  ['an equals sign in a value', 'cn=a=b,dc=acme', 'cn=a\\3db,dc=acme'],
  ['a number sign', 'cn=\\#1,dc=acme', 'cn=\\231,dc=acme'],
  ['nothing', '', ' '],
])('DNs are equal in spite of %s', (_, one, other) => {
  expect(parseDn(one)).toBeDefined();
  expect(nameOf(one)).toBe(nameOf(other));
});

test.each([
  ['ou=Smith,ou=Jones', 'ou=Smith\\,ou\\=Jones'],
  ['ou=a+cn=b', 'ou=a,cn=b'],
  ['ou=a+cn=b', 'ou=a\\+cn\\=b'],
  ['ou=a', 'cn=a'],
  ['cn=\\FF', 'cn=\\FE'],
  ['cn=\\FF', 'cn=\\#ff'],
  ['cn=#0201ff', 'cn=#0201fe'],
  ['cn=Straße', 'cn=Strase'],
  ['', 'dc=acme'],
])('%s and %s differ', (one, other) => {
  expect(nameOf(one)).not.toBe(nameOf(other));
});

test.each([
  ['uid=ada,ou=Smith\\, Jones,dc=acme', 'ou="Smith, Jones",DC=acme', true],
  ['ou=Köln,dc=acme', 'ou=K\\C3\\B6ln,dc=acme', true],
  ['ou=Jones,dc=acme', 'ou=Smith\\, Jones,dc=acme', false],
  ['ou=Smith\\,dc\\=acme', 'dc=acme', false],
  ['cn=x\\,ou\\=a,dc=acme', 'ou=a,dc=acme', false],
  ['uid=ada,dc=acme', '', true],
])('whether %s is below %s: %s', (dn, base, expected) => {
  expect(isBelow(dn, base)).toBe(expected);
});

test.each(['Ada', 'ou=', 'ou=a,', 'ou="a', '=a', 'ou=a\\', 'ou=a<b', '<GUID=1>', "uid=a#'0101'B,x"])(
  '%j is a DN only if it has names and values',
  (text) => {
    const names = parseDn(text);
    if (text === 'ou=') expect(names).toEqual([[{ type: 'ou', value: '' }]]);
    else expect(names).toBeUndefined();
    expect(nameOf(text)).toBe(nameOf(text.toUpperCase().replace('OU', 'ou').replace('UID', 'uid')));
  },
);

test.each(['Smith, Jones', ' a ', '#1', 'a+b=c', 'say "hi"', 'a\\b', 'x;y<z>', 'Köln', 'a\0b', ' '])(
  'writes the value %j into a DN',
  (value) => {
    const dn = dnBelow('dc=acme', 'cn', value);
    expect(parseDn(dn)).toHaveLength(2);
    expect(nameOf(dn)).toBe(`cn=${encodeURIComponent(value.replace('\0', '').trim().toLowerCase())},dc=acme`);
  },
);

test.each([
  ['CN=Ada,OU=Staff,DC=corp,DC=example', 'corp.example'],
  ['cn=Ada,ou=Staff,dc=EMEA,dc=corp,dc=example', 'emea.corp.example'],
  ['CN=Ada,OU=DC=odd\\,DC=corp,DC=example', 'example'],
  ['CN=S-1-5-21,CN=ForeignSecurityPrincipals,DC=corp,DC=example', 'corp.example'],
  ['CN=Ada', ''],
])('%s is of the domain "%s"', (dn, domain) => {
  expect(domainOf(dn)).toBe(domain);
});
