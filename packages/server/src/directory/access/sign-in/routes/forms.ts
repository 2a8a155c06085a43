import type { Http } from '../../../../kit/http/server.ts';

/** Makes the routes that are added from here on take a form, which other sites may post, and nothing else. */
export function takeForms(http: Http, largestBytes: number) {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestBytes },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
  );
}
