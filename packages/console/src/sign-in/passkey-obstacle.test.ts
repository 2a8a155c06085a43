import { expect, test } from 'vitest';
import { passkeyObstacle } from './passkey-obstacle.ts';

test.each([
  ['http://127.0.0.1:8080', /127\.0\.0\.1 is an IP address\. Open http:\/\/localhost:8080 instead\./],
  ['http://[::1]', /Open http:\/\/localhost instead\./],
  ['https://192.0.2.7', /192\.0\.2\.7 is an IP address\.$/],
  ['http://gatehouse.example', /require https/],
])('says why there are no passkeys at %s', (origin, words) => {
  expect(passkeyObstacle(new URL(origin))).toMatch(words);
});
