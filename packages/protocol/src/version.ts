/** The version of this release, of the server as well as of its clients. `npm run version` writes it from package.json. */
export const VERSION = '1.0.0';
