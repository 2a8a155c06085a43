import { expect, test } from 'vitest';
import { shortened } from './shortened.ts';

const LONG = 'x'.repeat(80);

test('leaves out what an operation does not have, and writes short objects on one line', () => {
  const types = `export interface paths {
    "/cars/": {
        parameters: {
            query?: never;
            header?: never;
        };
        /** List cars */
        get: {
            parameters: {
                query?: {
                    /** @description The number of results. */
                    limit?: components["parameters"]["limit"];
                    /** @description Part of the name. */
                    q?: string;
                };
                path?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When it was built.
                             */
                            built_at: string;
                            hub: {
                                size: number;
                            };
                            wheel: {
                                size: number;
                                ${LONG}: string;
                            } | null;
                        };
                    };
                };
            };
        };
        put?: never;
    };
}
`;

  expect(shortened(types)).toBe(`export interface paths {
    "/cars/": {
        /** List cars */
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["limit"];
                    /** @description Part of the name. */
                    q?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            id: string;
                            /** @description When it was built. */
                            built_at: string;
                            hub: { size: number; };
                            wheel: {
                                size: number;
                                ${LONG}: string;
                            } | null;
                        };
                    };
                };
            };
        };
    };
}
`);
});
