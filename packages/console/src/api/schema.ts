// Written by `npm run docs` from the server's /openapi.json. Change the routes, not this file.
export interface paths {
    "/api/accounts/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts */
        get: {
            parameters: {
                query?: {
                    app?: string;
                    /** @description Count no further than this, and this page: more then says whether there are more. Quicker. */
                    count_to?: number;
                    /** @description Part of the email, compared without case. */
                    email?: string;
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description false: accounts that are nobody's. */
                    linked?: boolean;
                    /** @description Start index. */
                    offset?: number;
                    sort?: "created" | "-created" | "email" | "-email";
                    status?: "ACTIVE" | "INACTIVE" | "INVITED" | "NEW" | "SUSPENDED";
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            /** @description With count_to: whether there are more than were counted. */
                            more?: boolean;
                            next: string | null;
                            previous: string | null;
                            results: {
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                /** @description By resource type slug. */
                                assignments: {
                                    [key: string]: {
                                        /**
                                         * Format: date-time
                                         * @description Since when it is known to have it.
                                         */
                                        granted_at: string;
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                display_name: string;
                                email: string;
                                external_id: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                last_seen_at: string | null;
                                /** @description By resource type slug. */
                                memberships: {
                                    [key: string]: {
                                        /**
                                         * Format: date-time
                                         * @description Since when it is known to have it.
                                         */
                                        granted_at: string;
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                person: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                } | null;
                                /** @description NEW, INVITED, ACTIVE, SUSPENDED or INACTIVE. */
                                status: string;
                                user: string | null;
                                username: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/accounts/{account_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    account_id: string;
                };
                cookie?: never;
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
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    /**
                                     * Format: date-time
                                     * @description Since when it is known to have it.
                                     */
                                    granted_at: string;
                                    id: string;
                                    name: string;
                                }[];
                            };
                            display_name: string;
                            email: string;
                            external_id: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            last_seen_at: string | null;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    /**
                                     * Format: date-time
                                     * @description Since when it is known to have it.
                                     */
                                    granted_at: string;
                                    id: string;
                                    name: string;
                                }[];
                            };
                            person: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                            } | null;
                            /** @description NEW, INVITED, ACTIVE, SUSPENDED or INACTIVE. */
                            status: string;
                            user: string | null;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Link account to a user, by hand */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    account_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        user: string | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    /**
                                     * Format: date-time
                                     * @description Since when it is known to have it.
                                     */
                                    granted_at: string;
                                    id: string;
                                    name: string;
                                }[];
                            };
                            display_name: string;
                            email: string;
                            external_id: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            last_seen_at: string | null;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    /**
                                     * Format: date-time
                                     * @description Since when it is known to have it.
                                     */
                                    granted_at: string;
                                    id: string;
                                    name: string;
                                }[];
                            };
                            person: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                            } | null;
                            /** @description NEW, INVITED, ACTIVE, SUSPENDED or INACTIVE. */
                            status: string;
                            user: string | null;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/api-keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                apps: string[] | null;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                created_by: string;
                                expires_at: string | null;
                                /** Format: uuid */
                                id: string;
                                last_used_at: string | null;
                                name: string;
                                revoked_at: string | null;
                                scopes: string[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create an API key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        apps?: string[] | null;
                        expires_at?: string | null;
                        name: string;
                        /** @description All but govern by default. */
                        scopes?: ("bridge" | "events" | "read" | "govern")[];
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            apps: string[] | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            created_by: string;
                            expires_at: string | null;
                            /** Format: uuid */
                            id: string;
                            /** @description The key itself. It is shown in this answer only. */
                            key: string;
                            last_used_at: string | null;
                            name: string;
                            revoked_at: string | null;
                            scopes: string[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{key_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List apps */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    /** @description Part of the name, without case. */
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                approval_steps: {
                                    approvers: ("manager" | "app_owner") | string[];
                                    /** @enum {unknown} */
                                    require: "all" | "any";
                                }[];
                                /** @description CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED. */
                                configuration_status: string;
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                external_uuid: string;
                                fallback_approvers: string[] | null;
                                last_synced_at: string | null;
                                name: string;
                                owner: string | null;
                                removal_guard: {
                                    at_least: number;
                                    percent: number;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get app */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            approval_steps: {
                                approvers: ("manager" | "app_owner") | string[];
                                /** @enum {unknown} */
                                require: "all" | "any";
                            }[];
                            /** @description CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED. */
                            configuration_status: string;
                            connection: {
                                display_name: string;
                                /** Format: uuid */
                                external_uuid: string;
                                unique_identifier: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_approvers: string[] | null;
                            last_synced_at: string | null;
                            name: string;
                            owner: string | null;
                            removal_guard: {
                                at_least: number;
                                percent: number;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Archive app */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change who decides about an app, and its guard */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        approval_steps?: {
                            approvers: ("manager" | "app_owner") | string[];
                            /** @enum {unknown} */
                            require?: "all" | "any";
                        }[];
                        fallback_approvers?: string[] | null;
                        name?: string;
                        owner?: string | null;
                        removal_guard?: {
                            at_least: number;
                            percent: number;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            approval_steps: {
                                approvers: ("manager" | "app_owner") | string[];
                                /** @enum {unknown} */
                                require: "all" | "any";
                            }[];
                            /** @description CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED. */
                            configuration_status: string;
                            connection: {
                                display_name: string;
                                /** Format: uuid */
                                external_uuid: string;
                                unique_identifier: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_approvers: string[] | null;
                            last_synced_at: string | null;
                            name: string;
                            owner: string | null;
                            removal_guard: {
                                at_least: number;
                                percent: number;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/apps/{app_id}/disconnect/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disconnect app */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            approval_steps: {
                                approvers: ("manager" | "app_owner") | string[];
                                /** @enum {unknown} */
                                require: "all" | "any";
                            }[];
                            /** @description CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED. */
                            configuration_status: string;
                            connection: {
                                display_name: string;
                                /** Format: uuid */
                                external_uuid: string;
                                unique_identifier: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_approvers: string[] | null;
                            last_synced_at: string | null;
                            name: string;
                            owner: string | null;
                            removal_guard: {
                                at_least: number;
                                percent: number;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/reconnect/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back a disconnect */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            approval_steps: {
                                approvers: ("manager" | "app_owner") | string[];
                                /** @enum {unknown} */
                                require: "all" | "any";
                            }[];
                            /** @description CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED. */
                            configuration_status: string;
                            connection: {
                                display_name: string;
                                /** Format: uuid */
                                external_uuid: string;
                                unique_identifier: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_approvers: string[] | null;
                            last_synced_at: string | null;
                            name: string;
                            owner: string | null;
                            removal_guard: {
                                at_least: number;
                                percent: number;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/resource-types/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the resource types of an app */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                id: string;
                                name: string;
                                slug: string;
                                type: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/resources/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups and licenses of an app, by name */
        get: {
            parameters: {
                query?: {
                    /** @description false: those that are gone. */
                    active?: boolean;
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    /** @description Part of the name, without case. */
                    q?: string;
                    slug?: string;
                };
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                /** @description false: a sync has found it gone. */
                                active: boolean;
                                description: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description The external system's own id. */
                                id: string;
                                is_paid: boolean | null;
                                is_unlimited: boolean | null;
                                max_count: number | null;
                                members: number | null;
                                /** @description Empty while it has only been referred to. */
                                name: string;
                                /** @description Of its resource type. */
                                slug: string;
                                /** @description group or license. */
                                type: string;
                                used_count: number | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/resources/{resource_id}/members/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the accounts that have a group or license */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path: {
                    app_id: string;
                    resource_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                display_name: string;
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** Format: date-time */
                                granted_at: string;
                                status: string;
                                user: string | null;
                                username: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/syncs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sync sessions, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                counts: {
                                    created: number;
                                    removed: number;
                                    unchanged: number;
                                    updated: number;
                                } | null;
                                error?: {
                                    error_code: string;
                                    message: string;
                                };
                                finished_at: string | null;
                                held?: {
                                    accounts: number;
                                    memberships: number;
                                };
                                membership_counts: {
                                    added: number;
                                    removed: number;
                                } | null;
                                progress: {
                                    name: string;
                                    slug: string;
                                    synced_count: number;
                                    type: string;
                                }[];
                                /** Format: date-time */
                                started_at: string;
                                /** @description in_progress, completing, completed, error or abandoned. */
                                status: string;
                                /** Format: uuid */
                                superseded_by?: string;
                                /** Format: uuid */
                                sync_id: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/syncs/{sync_id}/approve/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a held sync remove what it planned */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    sync_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            counts: {
                                created: number;
                                removed: number;
                                unchanged: number;
                                updated: number;
                            } | null;
                            error?: {
                                error_code: string;
                                message: string;
                            };
                            finished_at: string | null;
                            held?: {
                                accounts: number;
                                memberships: number;
                            };
                            membership_counts: {
                                added: number;
                                removed: number;
                            } | null;
                            progress: {
                                name: string;
                                slug: string;
                                synced_count: number;
                                type: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            /** @description in_progress, completing, completed, error or abandoned. */
                            status: string;
                            /** Format: uuid */
                            superseded_by?: string;
                            /** Format: uuid */
                            sync_id: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/apps/{app_id}/syncs/{sync_id}/reject/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a held sync without its removals */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    sync_id: string;
                };
                cookie?: never;
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
                            counts: {
                                created: number;
                                removed: number;
                                unchanged: number;
                                updated: number;
                            } | null;
                            error?: {
                                error_code: string;
                                message: string;
                            };
                            finished_at: string | null;
                            held?: {
                                accounts: number;
                                memberships: number;
                            };
                            membership_counts: {
                                added: number;
                                removed: number;
                            } | null;
                            progress: {
                                name: string;
                                slug: string;
                                synced_count: number;
                                type: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            /** @description in_progress, completing, completed, error or abandoned. */
                            status: string;
                            /** Format: uuid */
                            superseded_by?: string;
                            /** Format: uuid */
                            sync_id: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connection-requests/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connection requests */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                app_name: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                external_uuid: string;
                                reason: string;
                                requester: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Ask for an application to be connected */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        app_name: string;
                        reason?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app_name: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            external_uuid: string;
                            reason: string;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event-types/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List event types */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            results: {
                                category: string;
                                description: string;
                                event_type: string;
                                event_version: number;
                                /** @description JSON Schema of the payload. */
                                payload_schema: unknown;
                                severity: string;
                                source_types: string[];
                                subject_types: string[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events */
        get: {
            parameters: {
                query?: {
                    /** @description IP address of the actor. */
                    actor_ip?: string;
                    /** @description UUID of the actor. */
                    actor_uuid?: string;
                    /** @description authentication, authorization, application, task, user_lifecycle */
                    category?: string;
                    /** @description next_cursor or previous_cursor of an earlier answer. Filters given with it replace those that it carries. */
                    cursor?: string;
                    /** @description Exact match. */
                    event_type?: string;
                    /** @description Prefix match; must end with a dot. */
                    event_type_prefix?: string;
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description At or after, ISO 8601. */
                    occurred_at__gte?: string;
                    /** @description At or before, ISO 8601. */
                    occurred_at__lte?: string;
                    /** @description Comma-separated list of critical, high, medium, low, info. */
                    severity?: string;
                    /** @description UUID of the subject. */
                    subject_uuid?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            /** @description Store it and pass it as cursor: it never expires, and continues for ever. */
                            next_cursor: string;
                            /** @description The page just newer than this one; can be polled for ever too. */
                            previous_cursor: string;
                            /** @description Newest first. Empty: the reader has caught up. */
                            results: {
                                actor: {
                                    ip?: string;
                                    /** @enum {unknown} */
                                    type: "user" | "system" | "service" | "platform_admin";
                                    user_agent?: string;
                                    uuid: string | null;
                                };
                                /** @enum {unknown} */
                                category: "authentication" | "authorization" | "application" | "task" | "user_lifecycle";
                                /** Format: uuid */
                                event_id: string;
                                event_type: string;
                                event_version: number;
                                /** Format: date-time */
                                ingested_at: string;
                                /** Format: date-time */
                                occurred_at: string;
                                payload: {
                                    [key: string]: unknown;
                                };
                                /** @enum {unknown} */
                                severity: "critical" | "high" | "medium" | "low" | "info";
                                source: {
                                    /** @enum {unknown} */
                                    type: "user_action" | "system" | "sync" | "schedule" | "api" | "task";
                                    uuid: string | null;
                                };
                                subject: {
                                    /** @enum {unknown} */
                                    type: "platform_user" | "app_user" | "app" | "app_group" | "task" | "ticket" | "system";
                                    /** Format: uuid */
                                    uuid: string;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{external_uuid}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one event */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    external_uuid: string;
                };
                cookie?: never;
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
                            actor: {
                                ip?: string;
                                /** @enum {unknown} */
                                type: "user" | "system" | "service" | "platform_admin";
                                user_agent?: string;
                                uuid: string | null;
                            };
                            /** @enum {unknown} */
                            category: "authentication" | "authorization" | "application" | "task" | "user_lifecycle";
                            /** Format: uuid */
                            event_id: string;
                            event_type: string;
                            event_version: number;
                            /** Format: date-time */
                            ingested_at: string;
                            /** Format: date-time */
                            occurred_at: string;
                            payload: {
                                [key: string]: unknown;
                            };
                            /** @enum {unknown} */
                            severity: "critical" | "high" | "medium" | "low" | "info";
                            source: {
                                /** @enum {unknown} */
                                type: "user_action" | "system" | "sync" | "schedule" | "api" | "task";
                                uuid: string | null;
                            };
                            subject: {
                                /** @enum {unknown} */
                                type: "platform_user" | "app_user" | "app" | "app_group" | "task" | "ticket" | "system";
                                /** Format: uuid */
                                uuid: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                            errors?: {
                                code: string;
                                message: string;
                                path: string;
                                /** @description Within a condition in CEL: line and column from 1. */
                                position?: {
                                    column: number;
                                    line: number;
                                    offset: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is calling
         * @description The person who is signed in, or for whom the key acts.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            api_key: string | null;
                            base_url: string;
                            email: string;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            has_password: boolean;
                            last_name: string;
                            organization: {
                                name: string;
                                slug: string;
                            };
                            role: "owner" | "admin" | "auditor" | "member";
                            /** @description Signing in with a password asks for a code as well. */
                            second_factor: boolean;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organization/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            base_url: string;
                            /** Format: date-time */
                            created_at: string;
                            name: string;
                            slug: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Name the organization */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            base_url: string;
                            /** Format: date-time */
                            created_at: string;
                            name: string;
                            slug: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/overview/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How things stand
         * @description Each figure costs the same in an organization of ten accounts and of a million.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            accounts: {
                                by_status: {
                                    [key: string]: number;
                                };
                                orphans: {
                                    count: number;
                                    /** @description There are more than 1,000, and they were not counted. */
                                    more: boolean;
                                };
                            };
                            apps: {
                                by_status: {
                                    [key: string]: number;
                                };
                                /** @description At most 10: a failed or held sync first, then disconnected, never synced, longest ago. */
                                in_need: {
                                    configuration_status: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    last_sync: {
                                        counts: {
                                            created: number;
                                            removed: number;
                                            unchanged: number;
                                            updated: number;
                                        } | null;
                                        finished_at: string | null;
                                        held: {
                                            accounts: number;
                                            memberships: number;
                                        } | null;
                                        started_at: string;
                                        status: string;
                                        /** Format: uuid */
                                        sync_id: string;
                                    } | null;
                                    last_synced_at: string | null;
                                    name: string;
                                }[];
                            };
                            /** @description At most 10 with limited seats, the fullest first. */
                            licenses: {
                                app: {
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                max: number;
                                name: string;
                                used: number;
                            }[];
                            /** @description At most 10 open cycles, the next to fall due first. */
                            reviews: {
                                decided: number;
                                due_at: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                items: number;
                                name: string;
                                /** Format: uuid */
                                review: string;
                            }[];
                            tasks: {
                                /** @description Of the last seven days, by day (UTC) and code. */
                                failed: {
                                    count: number;
                                    day: string;
                                    error_code: string;
                                }[];
                                oldest_pending_at: string | null;
                                pending: {
                                    count: number;
                                    /** @description There are more than 1,000, and they were not counted. */
                                    more: boolean;
                                };
                                scheduled: {
                                    count: number;
                                    /** @description There are more than 1,000, and they were not counted. */
                                    more: boolean;
                                };
                            };
                            tickets: {
                                waiting: {
                                    count: number;
                                    /** @description There are more than 1,000, and they were not counted. */
                                    more: boolean;
                                };
                            };
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List policies */
        get: {
            parameters: {
                query?: {
                    enabled?: boolean;
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    trigger?: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                condition: string;
                                /** Format: date-time */
                                created_at: string;
                                created_by: string | null;
                                delay: string | null;
                                effects: {
                                    app: string;
                                    assignments: {
                                        [key: string]: string[];
                                    };
                                    /** @enum {unknown} */
                                    do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                    memberships: {
                                        [key: string]: string[];
                                    };
                                }[];
                                enabled: boolean;
                                /** Format: uuid */
                                external_uuid: string;
                                last_fired_at: string | null;
                                last_fired_count: number | null;
                                name: string;
                                pending_confirmation: {
                                    /** @description The tasks that it stood for when it was held. */
                                    count: number;
                                    created: number;
                                    /** Format: date-time */
                                    held_at: string;
                                    /** @enum {unknown} */
                                    status: "held" | "releasing";
                                } | null;
                                /** @enum {unknown} */
                                trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create policy */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description CEL over user, account, app and today.
                         * @example true
                         */
                        condition: string;
                        delay?: string | null;
                        effects: {
                            /** @description One app; or "all": each where the person has an account, for a grant each that there is. */
                            app: "all" | string;
                            assignments?: {
                                [key: string]: string[];
                            } | null;
                            /** @enum {unknown} */
                            do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                            memberships?: {
                                [key: string]: string[];
                            } | null;
                        }[];
                        enabled?: boolean;
                        name: string;
                        /** @enum {unknown} */
                        trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            condition: string;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            delay: string | null;
                            effects: {
                                app: string;
                                assignments: {
                                    [key: string]: string[];
                                };
                                /** @enum {unknown} */
                                do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                memberships: {
                                    [key: string]: string[];
                                };
                            }[];
                            enabled: boolean;
                            /** Format: uuid */
                            external_uuid: string;
                            last_fired_at: string | null;
                            last_fired_count: number | null;
                            name: string;
                            pending_confirmation: {
                                /** @description The tasks that it stood for when it was held. */
                                count: number;
                                created: number;
                                /** Format: date-time */
                                held_at: string;
                                /** @enum {unknown} */
                                status: "held" | "releasing";
                            } | null;
                            /** @enum {unknown} */
                            trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/{policy_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get policy */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
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
                            condition: string;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            delay: string | null;
                            effects: {
                                app: string;
                                assignments: {
                                    [key: string]: string[];
                                };
                                /** @enum {unknown} */
                                do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                memberships: {
                                    [key: string]: string[];
                                };
                            }[];
                            enabled: boolean;
                            /** Format: uuid */
                            external_uuid: string;
                            last_fired_at: string | null;
                            last_fired_count: number | null;
                            name: string;
                            pending_confirmation: {
                                /** @description The tasks that it stood for when it was held. */
                                count: number;
                                created: number;
                                /** Format: date-time */
                                held_at: string;
                                /** @enum {unknown} */
                                status: "held" | "releasing";
                            } | null;
                            /** @enum {unknown} */
                            trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete policy */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancel what is still open of its tasks, too. */
                    cancel_tasks?: boolean;
                };
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change policy */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description CEL over user, account, app and today.
                         * @example true
                         */
                        condition?: string;
                        delay?: string | null;
                        effects?: {
                            /** @description One app; or "all": each where the person has an account, for a grant each that there is. */
                            app: "all" | string;
                            assignments?: {
                                [key: string]: string[];
                            } | null;
                            /** @enum {unknown} */
                            do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                            memberships?: {
                                [key: string]: string[];
                            } | null;
                        }[];
                        enabled?: boolean;
                        name?: string;
                        /** @enum {unknown} */
                        trigger?: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            condition: string;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            delay: string | null;
                            effects: {
                                app: string;
                                assignments: {
                                    [key: string]: string[];
                                };
                                /** @enum {unknown} */
                                do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                memberships: {
                                    [key: string]: string[];
                                };
                            }[];
                            enabled: boolean;
                            /** Format: uuid */
                            external_uuid: string;
                            last_fired_at: string | null;
                            last_fired_count: number | null;
                            name: string;
                            pending_confirmation: {
                                /** @description The tasks that it stood for when it was held. */
                                count: number;
                                created: number;
                                /** Format: date-time */
                                held_at: string;
                                /** @enum {unknown} */
                                status: "held" | "releasing";
                            } | null;
                            /** @enum {unknown} */
                            trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/policies/{policy_id}/confirm/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the firing that is held */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
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
                            condition: string;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            delay: string | null;
                            effects: {
                                app: string;
                                assignments: {
                                    [key: string]: string[];
                                };
                                /** @enum {unknown} */
                                do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                memberships: {
                                    [key: string]: string[];
                                };
                            }[];
                            enabled: boolean;
                            /** Format: uuid */
                            external_uuid: string;
                            last_fired_at: string | null;
                            last_fired_count: number | null;
                            name: string;
                            pending_confirmation: {
                                /** @description The tasks that it stood for when it was held. */
                                count: number;
                                created: number;
                                /** Format: date-time */
                                held_at: string;
                                /** @enum {unknown} */
                                status: "held" | "releasing";
                            } | null;
                            /** @enum {unknown} */
                            trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/{policy_id}/discard/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discard the firing that is held */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
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
                            condition: string;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            delay: string | null;
                            effects: {
                                app: string;
                                assignments: {
                                    [key: string]: string[];
                                };
                                /** @enum {unknown} */
                                do: "grant" | "revoke" | "suspend" | "unsuspend" | "delete";
                                memberships: {
                                    [key: string]: string[];
                                };
                            }[];
                            enabled: boolean;
                            /** Format: uuid */
                            external_uuid: string;
                            last_fired_at: string | null;
                            last_fired_count: number | null;
                            name: string;
                            pending_confirmation: {
                                /** @description The tasks that it stood for when it was held. */
                                count: number;
                                created: number;
                                /** Format: date-time */
                                held_at: string;
                                /** @enum {unknown} */
                                status: "held" | "releasing";
                            } | null;
                            /** @enum {unknown} */
                            trigger: "user.created" | "user.updated" | "user.deactivated" | "user.reactivated" | "account.discovered" | "daily";
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/{policy_id}/preview/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview policy: what it would create now, without creating it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    policy_id: string;
                };
                cookie?: never;
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
                            count: number;
                            /** @description More than the limit: such a firing would be held. */
                            needs_confirmation: boolean;
                            /** @description The first 200 of them. */
                            tasks: {
                                account: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                } | null;
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                execute_after: string;
                                user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/check/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a condition
         * @description Stores nothing. What is wrong is 400, with the line and the column in its detail, as saving it would answer.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        condition: string;
                        /**
                         * @description A policy's condition, or the people of an access review's scope.
                         * @default policy
                         * @enum {unknown}
                         */
                        of?: "policy" | "review";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            ok: true;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies/settings/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the limit of policies */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            /** @description What one firing of a policy may create without a confirmation. */
                            task_limit: number;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the limit of policies */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description What one firing of a policy may create without a confirmation. */
                        task_limit: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description What one firing of a policy may create without a confirmation. */
                            task_limit: number;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/reviews/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List campaigns */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                cooling_off_hours: number;
                                /** Format: date-time */
                                created_at: string;
                                created_by: string | null;
                                due_days: number;
                                /** Format: uuid */
                                external_uuid: string;
                                fallback_reviewers: string[] | null;
                                /** @enum {unknown} */
                                frequency: "once" | "monthly" | "quarterly" | "annually";
                                last_empty_at: string | null;
                                name: string;
                                next_opens_at: string | null;
                                /** @enum {unknown} */
                                on_no_response: "keep" | "revoke";
                                reviewer: ("manager" | "app_owner") | string[];
                                /** @enum {unknown} */
                                revoke_account_by: "delete" | "suspend";
                                scope: {
                                    apps: string[] | null;
                                    include: ("accounts" | "memberships" | "assignments")[];
                                    users: string | null;
                                };
                                starts_at: string | null;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a campaign */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        cooling_off_hours?: number;
                        due_days?: number;
                        fallback_reviewers?: string[] | null;
                        /** @enum {unknown} */
                        frequency?: "once" | "monthly" | "quarterly" | "annually";
                        name: string;
                        /** @enum {unknown} */
                        on_no_response?: "keep" | "revoke";
                        reviewer?: ("manager" | "app_owner") | string[];
                        /** @enum {unknown} */
                        revoke_account_by?: "delete" | "suspend";
                        scope?: {
                            apps?: string[] | null;
                            include?: ("accounts" | "memberships" | "assignments")[];
                            users?: string | null;
                        };
                        starts_at?: string | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cooling_off_hours: number;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            due_days: number;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_reviewers: string[] | null;
                            /** @enum {unknown} */
                            frequency: "once" | "monthly" | "quarterly" | "annually";
                            last_empty_at: string | null;
                            name: string;
                            next_opens_at: string | null;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            reviewer: ("manager" | "app_owner") | string[];
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            scope: {
                                apps: string[] | null;
                                include: ("accounts" | "memberships" | "assignments")[];
                                users: string | null;
                            };
                            starts_at: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{review_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get campaign */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    review_id: string;
                };
                cookie?: never;
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
                            cooling_off_hours: number;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            due_days: number;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_reviewers: string[] | null;
                            /** @enum {unknown} */
                            frequency: "once" | "monthly" | "quarterly" | "annually";
                            last_empty_at: string | null;
                            name: string;
                            next_opens_at: string | null;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            reviewer: ("manager" | "app_owner") | string[];
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            scope: {
                                apps: string[] | null;
                                include: ("accounts" | "memberships" | "assignments")[];
                                users: string | null;
                            };
                            starts_at: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a campaign; its cycles stay */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    review_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a campaign, from its next cycle on */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    review_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        cooling_off_hours?: number;
                        due_days?: number;
                        fallback_reviewers?: string[] | null;
                        /** @enum {unknown} */
                        frequency?: "once" | "monthly" | "quarterly" | "annually";
                        name?: string;
                        /** @enum {unknown} */
                        on_no_response?: "keep" | "revoke";
                        reviewer?: ("manager" | "app_owner") | string[];
                        /** @enum {unknown} */
                        revoke_account_by?: "delete" | "suspend";
                        scope?: {
                            apps?: string[] | null;
                            include?: ("accounts" | "memberships" | "assignments")[];
                            users?: string | null;
                        };
                        starts_at?: string | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cooling_off_hours: number;
                            /** Format: date-time */
                            created_at: string;
                            created_by: string | null;
                            due_days: number;
                            /** Format: uuid */
                            external_uuid: string;
                            fallback_reviewers: string[] | null;
                            /** @enum {unknown} */
                            frequency: "once" | "monthly" | "quarterly" | "annually";
                            last_empty_at: string | null;
                            name: string;
                            next_opens_at: string | null;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            reviewer: ("manager" | "app_owner") | string[];
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            scope: {
                                apps: string[] | null;
                                include: ("accounts" | "memberships" | "assignments")[];
                                users: string | null;
                            };
                            starts_at: string | null;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/reviews/{review_id}/cycles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List cycles of a campaign */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    status?: "scheduled" | "in_progress" | "completed";
                };
                header?: never;
                path: {
                    review_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                campaign: {
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                completed_at: string | null;
                                cooling_off_hours: number;
                                due_at: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @enum {unknown} */
                                on_no_response: "keep" | "revoke";
                                opened_at: string | null;
                                /** @description How many accounts have been looked at. A large cycle is scheduled until all have. */
                                opening: {
                                    accounts: number;
                                    of: number;
                                };
                                /** Format: date-time */
                                opens_at: string;
                                progress: {
                                    decided: number;
                                    items: number;
                                    kept: number;
                                    revoked: number;
                                    undecided: number;
                                };
                                /** @enum {unknown} */
                                revoke_account_by: "delete" | "suspend";
                                /** @enum {unknown} */
                                status: "scheduled" | "in_progress" | "completed";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/{review_id}/start/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a cycle now */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    review_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            campaign: {
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            completed_at: string | null;
                            cooling_off_hours: number;
                            due_at: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            opened_at: string | null;
                            /** @description How many accounts have been looked at. A large cycle is scheduled until all have. */
                            opening: {
                                accounts: number;
                                of: number;
                            };
                            /** Format: date-time */
                            opens_at: string;
                            progress: {
                                decided: number;
                                items: number;
                                kept: number;
                                revoked: number;
                                undecided: number;
                            };
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            /** @enum {unknown} */
                            status: "scheduled" | "in_progress" | "completed";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/cycles/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List cycles of all campaigns */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Only what is yours to review. */
                    mine?: boolean;
                    /** @description Start index. */
                    offset?: number;
                    status?: "scheduled" | "in_progress" | "completed";
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                campaign: {
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                completed_at: string | null;
                                cooling_off_hours: number;
                                due_at: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @enum {unknown} */
                                on_no_response: "keep" | "revoke";
                                opened_at: string | null;
                                /** @description How many accounts have been looked at. A large cycle is scheduled until all have. */
                                opening: {
                                    accounts: number;
                                    of: number;
                                };
                                /** Format: date-time */
                                opens_at: string;
                                progress: {
                                    decided: number;
                                    items: number;
                                    kept: number;
                                    revoked: number;
                                    undecided: number;
                                };
                                /** @enum {unknown} */
                                revoke_account_by: "delete" | "suspend";
                                /** @enum {unknown} */
                                status: "scheduled" | "in_progress" | "completed";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/cycles/{cycle_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get cycle */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    cycle_id: string;
                };
                cookie?: never;
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
                            campaign: {
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            completed_at: string | null;
                            cooling_off_hours: number;
                            due_at: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            opened_at: string | null;
                            /** @description How many accounts have been looked at. A large cycle is scheduled until all have. */
                            opening: {
                                accounts: number;
                                of: number;
                            };
                            /** Format: date-time */
                            opens_at: string;
                            progress: {
                                decided: number;
                                items: number;
                                kept: number;
                                revoked: number;
                                undecided: number;
                            };
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            /** @enum {unknown} */
                            status: "scheduled" | "in_progress" | "completed";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/cycles/{cycle_id}/decisions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide items of a cycle */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    cycle_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        comment?: string | null;
                        /** @enum {unknown} */
                        decision: "keep" | "revoke";
                        items: string[];
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            campaign: {
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            completed_at: string | null;
                            cooling_off_hours: number;
                            due_at: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @enum {unknown} */
                            on_no_response: "keep" | "revoke";
                            opened_at: string | null;
                            /** @description How many accounts have been looked at. A large cycle is scheduled until all have. */
                            opening: {
                                accounts: number;
                                of: number;
                            };
                            /** Format: date-time */
                            opens_at: string;
                            progress: {
                                decided: number;
                                items: number;
                                kept: number;
                                revoked: number;
                                undecided: number;
                            };
                            /** @enum {unknown} */
                            revoke_account_by: "delete" | "suspend";
                            /** @enum {unknown} */
                            status: "scheduled" | "in_progress" | "completed";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/cycles/{cycle_id}/evidence/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Evidence of a cycle: who decided what, when, why, and what came of it */
        get: {
            parameters: {
                query?: {
                    format?: "json" | "csv";
                };
                header?: never;
                path: {
                    cycle_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cycle with all its items as JSON, or the items as CSV. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews/cycles/{cycle_id}/items/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List items of a cycle */
        get: {
            parameters: {
                query?: {
                    app?: string;
                    /** @description none: not decided yet. */
                    decision?: "keep" | "revoke" | "none";
                    kind?: "account" | "membership" | "assignment";
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Only what is yours to review. */
                    mine?: boolean;
                    /** @description Start index. */
                    offset?: number;
                    user?: string;
                };
                header?: never;
                path: {
                    cycle_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                account: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    username: string;
                                };
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                comment: string | null;
                                context: {
                                    /** @description As it is now: ACTIVE, INVITED, SUSPENDED, INACTIVE. */
                                    account_status: string;
                                    granted_by: {
                                        /** Format: date-time */
                                        at: string;
                                        source: {
                                            /** Format: uuid */
                                            id: string;
                                            type: string;
                                        } | null;
                                        /** Format: uuid */
                                        task: string;
                                        task_type: string;
                                    } | null;
                                    last_seen_at: string | null;
                                    person: {
                                        department: string | null;
                                        status: string;
                                        title: string | null;
                                    } | null;
                                    /** Format: date-time */
                                    since: string;
                                };
                                decided_at: string | null;
                                decided_by: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                } | null;
                                decision: ("keep" | "revoke") | null;
                                /** @description Decisions that were changed, oldest first. */
                                earlier: {
                                    comment: string | null;
                                    /** Format: date-time */
                                    decided_at: string;
                                    decided_by: string | null;
                                    /** @enum {unknown} */
                                    decision: "keep" | "revoke";
                                }[];
                                /** Format: uuid */
                                id: string;
                                /** @enum {unknown} */
                                kind: "account" | "membership" | "assignment";
                                resource: {
                                    id: string;
                                    name: string;
                                    slug: string;
                                } | null;
                                reviewer: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                } | null;
                                /** @description Any of them may decide; the first is the reviewer. Empty: the administrators. */
                                reviewers: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                }[];
                                seen_gone: boolean | null;
                                task: {
                                    /** @enum {unknown} */
                                    action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                    ended_at: string | null;
                                    /** Format: date-time */
                                    execute_after: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    status: string;
                                } | null;
                                user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in-providers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sign-in providers */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                acs_url: string | null;
                                callback_url: string | null;
                                /** Format: date-time */
                                created_at: string;
                                email_domains: string[];
                                id: string;
                                metadata_url: string | null;
                                name: string;
                                oidc: {
                                    client_id: string;
                                    discovery_url: string;
                                    issuer: string;
                                    scopes: string[];
                                } | null;
                                saml: {
                                    certificate: string | null;
                                    email_attribute: string | null;
                                    entity_id: string;
                                    idp_metadata: string | null;
                                    sso_url: string | null;
                                } | null;
                                sp_entity_id: string | null;
                                type: "oidc" | "saml";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a sign-in provider
         * @description With oidc, its endpoints are asked of the issuer now, over https. People sign in through it who are in the organization already, by their email address.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Addresses of other domains are not believed. None: all are. */
                        email_domains?: string[];
                        /** @description Stands in the addresses that the provider is given. */
                        id: string;
                        /** @description On the sign-in page. */
                        name?: string;
                        oidc?: {
                            client_id: string;
                            /** @description Never answered. */
                            client_secret: string;
                            discovery_url?: string;
                            issuer: string;
                            /** @description openid, email, profile by default. */
                            scopes?: string[];
                        };
                        /** @description idp_metadata, or entity_id, sso_url and certificate. */
                        saml?: {
                            /** @description PEM. */
                            certificate?: string;
                            email_attribute?: string;
                            entity_id?: string;
                            /** @description XML. */
                            idp_metadata?: string;
                            sso_url?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            acs_url: string | null;
                            callback_url: string | null;
                            /** Format: date-time */
                            created_at: string;
                            email_domains: string[];
                            id: string;
                            metadata_url: string | null;
                            name: string;
                            oidc: {
                                client_id: string;
                                discovery_url: string;
                                issuer: string;
                                scopes: string[];
                            } | null;
                            saml: {
                                certificate: string | null;
                                email_attribute: string | null;
                                entity_id: string;
                                idp_metadata: string | null;
                                sso_url: string | null;
                            } | null;
                            sp_entity_id: string | null;
                            type: "oidc" | "saml";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in-providers/{provider}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a sign-in provider */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
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
                            acs_url: string | null;
                            callback_url: string | null;
                            /** Format: date-time */
                            created_at: string;
                            email_domains: string[];
                            id: string;
                            metadata_url: string | null;
                            name: string;
                            oidc: {
                                client_id: string;
                                discovery_url: string;
                                issuer: string;
                                scopes: string[];
                            } | null;
                            saml: {
                                certificate: string | null;
                                email_attribute: string | null;
                                entity_id: string;
                                idp_metadata: string | null;
                                sso_url: string | null;
                            } | null;
                            sp_entity_id: string | null;
                            type: "oidc" | "saml";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a sign-in provider */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a sign-in provider
         * @description oidc or saml, where given, replaces what was there; the client secret stays if it is not given.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Addresses of other domains are not believed. None: all are. */
                        email_domains?: string[];
                        /** @description On the sign-in page. */
                        name?: string;
                        oidc?: {
                            client_id: string;
                            /** @description Never answered. */
                            client_secret?: string;
                            discovery_url?: string;
                            issuer: string;
                            /** @description openid, email, profile by default. */
                            scopes?: string[];
                        };
                        /** @description idp_metadata, or entity_id, sso_url and certificate. */
                        saml?: {
                            /** @description PEM. */
                            certificate?: string;
                            email_attribute?: string;
                            entity_id?: string;
                            /** @description XML. */
                            idp_metadata?: string;
                            sso_url?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            acs_url: string | null;
                            callback_url: string | null;
                            /** Format: date-time */
                            created_at: string;
                            email_domains: string[];
                            id: string;
                            metadata_url: string | null;
                            name: string;
                            oidc: {
                                client_id: string;
                                discovery_url: string;
                                issuer: string;
                                scopes: string[];
                            } | null;
                            saml: {
                                certificate: string | null;
                                email_attribute: string | null;
                                entity_id: string;
                                idp_metadata: string | null;
                                sso_url: string | null;
                            } | null;
                            sp_entity_id: string | null;
                            type: "oidc" | "saml";
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/tasks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks */
        get: {
            parameters: {
                query?: {
                    account?: string;
                    action?: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                    app?: string;
                    /** @description Count no further than this, and this page: more then says whether there are more. Quicker. */
                    count_to?: number;
                    /** @description Part of the account's email, compared without case. */
                    email?: string;
                    error_code?: "ACCOUNT_NOT_FOUND" | "ACCOUNT_ALREADY_EXISTS" | "LICENSE_EXHAUSTED" | "PERMISSION_DENIED" | "RATE_LIMITED" | "TIMEOUT" | "INTERNAL_ERROR";
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    /** @description The ticket, review item or policy that made it. */
                    source?: string;
                    status?: "scheduled" | "pending" | "completed" | "failed" | "cancelled" | "preempted";
                    /** @description The tasks of one person's accounts. */
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            /** @description With count_to: whether there are more than were counted. */
                            more?: boolean;
                            next: string | null;
                            previous: string | null;
                            results: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a task */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        account?: string | null;
                        /** @enum {unknown} */
                        action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                        /** Format: uuid */
                        app: string;
                        assignments?: {
                            [key: string]: string[];
                        } | null;
                        changes?: {
                            [key: string]: {
                                added?: string[] | null;
                                removed?: string[] | null;
                            };
                        } | null;
                        execute_after?: string | null;
                        memberships?: {
                            [key: string]: string[];
                        } | null;
                        reason?: string | null;
                        resource_type?: string | null;
                        user?: string | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            attempt: number;
                            changes: {
                                [key: string]: {
                                    added: {
                                        id: string;
                                        name: string;
                                    }[];
                                    removed: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                            };
                            /** Format: date-time */
                            created_at: string;
                            creator: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                                username: string;
                            } | null;
                            dispatched_at: string | null;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            explanation: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                            op_type: string;
                            preempted_by: string | null;
                            reason: string | null;
                            retry_of: string | null;
                            source: {
                                /** Format: uuid */
                                id: string;
                                type: string;
                            } | null;
                            /** @description scheduled, pending, completed, failed, cancelled, preempted */
                            status: string;
                            /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                            task_type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get task */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    task_id: string;
                };
                cookie?: never;
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
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            attempt: number;
                            changes: {
                                [key: string]: {
                                    added: {
                                        id: string;
                                        name: string;
                                    }[];
                                    removed: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                            };
                            /** Format: date-time */
                            created_at: string;
                            creator: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                                username: string;
                            } | null;
                            dispatched_at: string | null;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            explanation: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                            op_type: string;
                            preempted_by: string | null;
                            reason: string | null;
                            retry_of: string | null;
                            source: {
                                /** Format: uuid */
                                id: string;
                                type: string;
                            } | null;
                            /** @description scheduled, pending, completed, failed, cancelled, preempted */
                            status: string;
                            /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                            task_type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a task */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    task_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string | null;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            attempt: number;
                            changes: {
                                [key: string]: {
                                    added: {
                                        id: string;
                                        name: string;
                                    }[];
                                    removed: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                            };
                            /** Format: date-time */
                            created_at: string;
                            creator: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                                username: string;
                            } | null;
                            dispatched_at: string | null;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            explanation: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                            op_type: string;
                            preempted_by: string | null;
                            reason: string | null;
                            retry_of: string | null;
                            source: {
                                /** Format: uuid */
                                id: string;
                                type: string;
                            } | null;
                            /** @description scheduled, pending, completed, failed, cancelled, preempted */
                            status: string;
                            /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                            task_type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/retry/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed task again
         * @description Once: what fails anew is a task of its own, and can be tried again itself.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    task_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            attempt: number;
                            changes: {
                                [key: string]: {
                                    added: {
                                        id: string;
                                        name: string;
                                    }[];
                                    removed: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                            };
                            /** Format: date-time */
                            created_at: string;
                            creator: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                                username: string;
                            } | null;
                            dispatched_at: string | null;
                            ended_at: string | null;
                            error: {
                                code: string;
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            explanation: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                            op_type: string;
                            preempted_by: string | null;
                            reason: string | null;
                            retry_of: string | null;
                            source: {
                                /** Format: uuid */
                                id: string;
                                type: string;
                            } | null;
                            /** @description scheduled, pending, completed, failed, cancelled, preempted */
                            status: string;
                            /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                            task_type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tickets */
        get: {
            parameters: {
                query?: {
                    app?: string;
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                    requester?: string;
                    ticket_status?: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "CANCELED";
                    /** @description true: those that wait for your decision. */
                    to_approve?: boolean;
                    type?: "NEW_ACCESS" | "MODIFY_ACCESS" | "EXTEND_ACCESS";
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    external_uuid: string | null;
                                };
                                approvals: {
                                    approver: {
                                        email: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                    };
                                    comment: string;
                                    /** Format: date-time */
                                    decided_at: string;
                                    /** @description approved or denied. */
                                    decision: string;
                                    override: boolean;
                                    /** @description From 1. */
                                    step: number;
                                }[];
                                /** @description By resource type slug. */
                                assignments: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                /** Format: date-time */
                                created_at: string;
                                created_by: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                current_step: number | null;
                                decided_at: string | null;
                                end_time: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                initial_comment: string;
                                label: string;
                                /** @description By resource type slug. */
                                memberships: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                outcome: string | null;
                                requester: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                start_time: string | null;
                                steps: {
                                    approvers: string | string[];
                                    require: string;
                                }[];
                                tasks: {
                                    /** @enum {unknown} */
                                    action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                    app: {
                                        connection: {
                                            display_name: string;
                                            /** Format: uuid */
                                            external_uuid: string;
                                            unique_identifier: string;
                                        };
                                        /** Format: uuid */
                                        external_uuid: string;
                                        name: string;
                                    };
                                    app_user: {
                                        email: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                    };
                                    attempt: number;
                                    changes: {
                                        [key: string]: {
                                            added: {
                                                id: string;
                                                name: string;
                                            }[];
                                            removed: {
                                                id: string;
                                                name: string;
                                            }[];
                                        };
                                    };
                                    /** Format: date-time */
                                    created_at: string;
                                    creator: {
                                        email: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        first_name: string;
                                        last_name: string;
                                        username: string;
                                    } | null;
                                    dispatched_at: string | null;
                                    ended_at: string | null;
                                    error: {
                                        code: string;
                                        message: string;
                                    } | null;
                                    /** Format: date-time */
                                    execute_after: string;
                                    explanation: string | null;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                    op_type: string;
                                    preempted_by: string | null;
                                    reason: string | null;
                                    retry_of: string | null;
                                    source: {
                                        /** Format: uuid */
                                        id: string;
                                        type: string;
                                    } | null;
                                    /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                    status: string;
                                    /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                    task_type: string;
                                }[];
                                /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                                ticket_status: string;
                                /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                                type: string;
                                user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                /** @description Who may decide now. */
                                waiting_for: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    /** @description named by the step, as its fallback, or as administrators. */
                                    via: string;
                                }[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Ask for access */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: uuid */
                        app: string;
                        assignments?: {
                            [key: string]: string[];
                        } | null;
                        end_time?: string | null;
                        initial_comment?: string | null;
                        memberships?: {
                            [key: string]: string[];
                        } | null;
                        requester?: string | null;
                        start_time?: string | null;
                        /** @enum {unknown} */
                        type: "NEW_ACCESS" | "MODIFY_ACCESS" | "EXTEND_ACCESS";
                        /** Format: uuid */
                        user: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                external_uuid: string | null;
                            };
                            approvals: {
                                approver: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                comment: string;
                                /** Format: date-time */
                                decided_at: string;
                                /** @description approved or denied. */
                                decision: string;
                                override: boolean;
                                /** @description From 1. */
                                step: number;
                            }[];
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            /** Format: date-time */
                            created_at: string;
                            created_by: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            current_step: number | null;
                            decided_at: string | null;
                            end_time: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            initial_comment: string;
                            label: string;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            outcome: string | null;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            start_time: string | null;
                            steps: {
                                approvers: string | string[];
                                require: string;
                            }[];
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                            /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                            ticket_status: string;
                            /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                            type: string;
                            user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            /** @description Who may decide now. */
                            waiting_for: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description named by the step, as its fallback, or as administrators. */
                                via: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/{ticket_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get ticket */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket_id: string;
                };
                cookie?: never;
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
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                external_uuid: string | null;
                            };
                            approvals: {
                                approver: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                comment: string;
                                /** Format: date-time */
                                decided_at: string;
                                /** @description approved or denied. */
                                decision: string;
                                override: boolean;
                                /** @description From 1. */
                                step: number;
                            }[];
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            /** Format: date-time */
                            created_at: string;
                            created_by: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            current_step: number | null;
                            decided_at: string | null;
                            end_time: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            initial_comment: string;
                            label: string;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            outcome: string | null;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            start_time: string | null;
                            steps: {
                                approvers: string | string[];
                                require: string;
                            }[];
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                            /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                            ticket_status: string;
                            /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                            type: string;
                            user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            /** @description Who may decide now. */
                            waiting_for: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description named by the step, as its fallback, or as administrators. */
                                via: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/{ticket_id}/approve/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve ticket */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        comment?: string | null;
                        /** @description An administrator decides for all approvers; needs a comment. */
                        override?: boolean;
                        /** @description The step that you looked at: 409 if it is another by now. */
                        step?: number;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                external_uuid: string | null;
                            };
                            approvals: {
                                approver: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                comment: string;
                                /** Format: date-time */
                                decided_at: string;
                                /** @description approved or denied. */
                                decision: string;
                                override: boolean;
                                /** @description From 1. */
                                step: number;
                            }[];
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            /** Format: date-time */
                            created_at: string;
                            created_by: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            current_step: number | null;
                            decided_at: string | null;
                            end_time: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            initial_comment: string;
                            label: string;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            outcome: string | null;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            start_time: string | null;
                            steps: {
                                approvers: string | string[];
                                require: string;
                            }[];
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                            /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                            ticket_status: string;
                            /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                            type: string;
                            user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            /** @description Who may decide now. */
                            waiting_for: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description named by the step, as its fallback, or as administrators. */
                                via: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/{ticket_id}/cancel/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw ticket */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        comment?: string | null;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                external_uuid: string | null;
                            };
                            approvals: {
                                approver: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                comment: string;
                                /** Format: date-time */
                                decided_at: string;
                                /** @description approved or denied. */
                                decision: string;
                                override: boolean;
                                /** @description From 1. */
                                step: number;
                            }[];
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            /** Format: date-time */
                            created_at: string;
                            created_by: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            current_step: number | null;
                            decided_at: string | null;
                            end_time: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            initial_comment: string;
                            label: string;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            outcome: string | null;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            start_time: string | null;
                            steps: {
                                approvers: string | string[];
                                require: string;
                            }[];
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                            /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                            ticket_status: string;
                            /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                            type: string;
                            user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            /** @description Who may decide now. */
                            waiting_for: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description named by the step, as its fallback, or as administrators. */
                                via: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/{ticket_id}/context/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what the person of a ticket has already, and what their colleagues have */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket_id: string;
                };
                cookie?: never;
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
                            account: {
                                /** @description By resource type slug. */
                                assignments: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                last_seen_at: string | null;
                                /** @description By resource type slug. */
                                memberships: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                };
                                status: string;
                            } | null;
                            asked: {
                                id: string;
                                slug: string;
                                /** @description How many of them have it. */
                                teammates: number;
                            }[];
                            user: {
                                department: string | null;
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                last_name: string;
                                manager: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                } | null;
                                /** @description active or deactivated. */
                                status: string;
                                /** @description Active people who have the same manager. */
                                teammates: number;
                                title: string | null;
                            };
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickets/{ticket_id}/deny/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deny ticket */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ticket_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        comment?: string | null;
                        /** @description An administrator decides for all approvers; needs a comment. */
                        override?: boolean;
                        /** @description The step that you looked at: 409 if it is another by now. */
                        step?: number;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            app: {
                                connection: {
                                    display_name: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    unique_identifier: string;
                                };
                                /** Format: uuid */
                                external_uuid: string;
                                name: string;
                            };
                            app_user: {
                                email: string;
                                external_uuid: string | null;
                            };
                            approvals: {
                                approver: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                comment: string;
                                /** Format: date-time */
                                decided_at: string;
                                /** @description approved or denied. */
                                decision: string;
                                override: boolean;
                                /** @description From 1. */
                                step: number;
                            }[];
                            /** @description By resource type slug. */
                            assignments: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            /** Format: date-time */
                            created_at: string;
                            created_by: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            current_step: number | null;
                            decided_at: string | null;
                            end_time: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            initial_comment: string;
                            label: string;
                            /** @description By resource type slug. */
                            memberships: {
                                [key: string]: {
                                    id: string;
                                    name: string;
                                }[];
                            };
                            outcome: string | null;
                            requester: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            start_time: string | null;
                            steps: {
                                approvers: string | string[];
                                require: string;
                            }[];
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                app: {
                                    connection: {
                                        display_name: string;
                                        /** Format: uuid */
                                        external_uuid: string;
                                        unique_identifier: string;
                                    };
                                    /** Format: uuid */
                                    external_uuid: string;
                                    name: string;
                                };
                                app_user: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                };
                                attempt: number;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                };
                                /** Format: date-time */
                                created_at: string;
                                creator: {
                                    email: string;
                                    /** Format: uuid */
                                    external_uuid: string;
                                    first_name: string;
                                    last_name: string;
                                    username: string;
                                } | null;
                                dispatched_at: string | null;
                                ended_at: string | null;
                                error: {
                                    code: string;
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                explanation: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. */
                                op_type: string;
                                preempted_by: string | null;
                                reason: string | null;
                                retry_of: string | null;
                                source: {
                                    /** Format: uuid */
                                    id: string;
                                    type: string;
                                } | null;
                                /** @description scheduled, pending, completed, failed, cancelled, preempted */
                                status: string;
                                /** @description USER_ACTION, ACCESS_REVIEW, APPROVAL_WORKFLOW or POLICY. */
                                task_type: string;
                            }[];
                            /** @description PENDING, APPROVED, REJECTED, EXPIRED, CANCELED */
                            ticket_status: string;
                            /** @description NEW_ACCESS, MODIFY_ACCESS, EXTEND_ACCESS */
                            type: string;
                            user: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                            };
                            /** @description Who may decide now. */
                            waiting_for: {
                                email: string;
                                /** Format: uuid */
                                external_uuid: string;
                                /** @description named by the step, as its fallback, or as administrators. */
                                via: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: {
            parameters: {
                query?: {
                    /** @description Count no further than this, and this page: more then says whether there are more. Quicker. */
                    count_to?: number;
                    /** @description Part of the email, without case. */
                    email?: string;
                    identity_type?: "human" | "service_account";
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    manager?: string;
                    /** @description Start index. */
                    offset?: number;
                    /** @description Part of the email, the username or a name, without case. */
                    q?: string;
                    role?: "owner" | "admin" | "auditor" | "member";
                    sort?: "created" | "-created" | "email" | "-email";
                    status?: "active" | "deactivated";
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            /** @description With count_to: whether there are more than were counted. */
                            more?: boolean;
                            next: string | null;
                            previous: string | null;
                            results: {
                                attributes: {
                                    [key: string]: unknown;
                                };
                                /** Format: date-time */
                                created_at: string;
                                /** @description internal or external. */
                                domain_type: string;
                                email: string;
                                end_date: string | null;
                                /** Format: uuid */
                                external_uuid: string;
                                first_name: string;
                                /** @description human or service_account. */
                                identity_type: string;
                                last_name: string;
                                manager: string | null;
                                /** @description owner, admin, auditor or member. */
                                role: string;
                                start_date: string | null;
                                /** @description active or deactivated. */
                                status: string;
                                /** Format: date-time */
                                updated_at: string;
                                username: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create user */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Merged by name; null takes one away. */
                        attributes?: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        domain_type?: "internal" | "external";
                        email: string;
                        end_date?: string | null;
                        first_name?: string;
                        /** @enum {unknown} */
                        identity_type?: "human" | "service_account";
                        last_name?: string;
                        manager?: string | null;
                        /** @enum {unknown} */
                        role?: "owner" | "admin" | "auditor" | "member";
                        start_date?: string | null;
                        /** @enum {unknown} */
                        status?: "active" | "deactivated";
                        /** @description The email, where none is given. */
                        username?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attributes: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** @description internal or external. */
                            domain_type: string;
                            email: string;
                            end_date: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            /** @description human or service_account. */
                            identity_type: string;
                            last_name: string;
                            manager: string | null;
                            /** @description owner, admin, auditor or member. */
                            role: string;
                            start_date: string | null;
                            /** @description active or deactivated. */
                            status: string;
                            /** Format: date-time */
                            updated_at: string;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get user */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
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
                            attributes: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** @description internal or external. */
                            domain_type: string;
                            email: string;
                            end_date: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            /** @description human or service_account. */
                            identity_type: string;
                            last_name: string;
                            manager: string | null;
                            /** @description owner, admin, auditor or member. */
                            role: string;
                            start_date: string | null;
                            /** @description active or deactivated. */
                            status: string;
                            /** Format: date-time */
                            updated_at: string;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete user */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change user */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Merged by name; null takes one away. */
                        attributes?: {
                            [key: string]: unknown;
                        };
                        /** @enum {unknown} */
                        domain_type?: "internal" | "external";
                        email?: string;
                        end_date?: string | null;
                        first_name?: string;
                        /** @enum {unknown} */
                        identity_type?: "human" | "service_account";
                        last_name?: string;
                        manager?: string | null;
                        /** @enum {unknown} */
                        role?: "owner" | "admin" | "auditor" | "member";
                        start_date?: string | null;
                        /** @enum {unknown} */
                        status?: "active" | "deactivated";
                        /** @description The email, where none is given. */
                        username?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attributes: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** @description internal or external. */
                            domain_type: string;
                            email: string;
                            end_date: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            /** @description human or service_account. */
                            identity_type: string;
                            last_name: string;
                            manager: string | null;
                            /** @description owner, admin, auditor or member. */
                            role: string;
                            start_date: string | null;
                            /** @description active or deactivated. */
                            status: string;
                            /** Format: date-time */
                            updated_at: string;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/users/{user_id}/deactivate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deactivate user */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attributes: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** @description internal or external. */
                            domain_type: string;
                            email: string;
                            end_date: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            /** @description human or service_account. */
                            identity_type: string;
                            last_name: string;
                            manager: string | null;
                            /** @description owner, admin, auditor or member. */
                            role: string;
                            start_date: string | null;
                            /** @description active or deactivated. */
                            status: string;
                            /** Format: date-time */
                            updated_at: string;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/reactivate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reactivate user */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason?: string;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attributes: {
                                [key: string]: unknown;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** @description internal or external. */
                            domain_type: string;
                            email: string;
                            end_date: string | null;
                            /** Format: uuid */
                            external_uuid: string;
                            first_name: string;
                            /** @description human or service_account. */
                            identity_type: string;
                            last_name: string;
                            manager: string | null;
                            /** @description owner, admin, auditor or member. */
                            role: string;
                            start_date: string | null;
                            /** @description active or deactivated. */
                            status: string;
                            /** Format: date-time */
                            updated_at: string;
                            username: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/second-factor/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person's second factor
         * @description For somebody who lost it. They sign in with their password alone until they set one up.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/sign-in-link/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a one-time link with which a person sets a password
         * @description The link works once, for 72 hours, and replaces the one before it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
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
                            /** Format: date-time */
                            expires_at: string;
                            /** @description For the person, and for nobody else. The secret follows the #. */
                            url: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{user_id}/sign-out/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all of a person's sessions */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from CSV
         * @description The first line names the columns: fields of a user, manager_email, and any other name for an attribute. All rows are imported, or none.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Show what would change and write nothing. */
                    dry_run?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "text/csv": string;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The first 1,000 of them. */
                            changes: {
                                /** @description created or updated. */
                                action: string;
                                changes: {
                                    field: string;
                                    from: unknown;
                                    to: unknown;
                                }[];
                                email: string;
                                line: number;
                            }[];
                            created: number;
                            dry_run: boolean;
                            unchanged: number;
                            updated: number;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List apps */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                configuration_status: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                id: string;
                                last_synced_at: string | null;
                                name: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create app */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        clone_from?: string | null;
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            configuration_status: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            last_synced_at: string | null;
                            name: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get app */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            configuration_status: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            last_synced_at: string | null;
                            name: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/check/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a connection check */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        message?: string | null;
                        /** @enum {unknown} */
                        method: "api" | "browser";
                        /** @description Whether the connector could sign in to the external system. */
                        ok: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            configuration_status: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            last_synced_at: string | null;
                            name: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/resource-types/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List resource types */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 200 is read as 200. */
                    limit?: number;
                    /** @description Start index. */
                    offset?: number;
                };
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            results: {
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                id: string;
                                name: string;
                                slug: string;
                                type: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Register resource type */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        slug: string;
                        type: "account" | "group" | "license";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            name: string;
                            slug: string;
                            type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/resource-types/{slug}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename resource type */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    slug: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        slug?: unknown;
                        type?: unknown;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            name: string;
                            slug: string;
                            type: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/sync/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start sync session */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            sync_id: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/sync/{sync_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get sync progress */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    sync_id: string;
                };
                cookie?: never;
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
                            counts: {
                                created: number;
                                removed: number;
                                unchanged: number;
                                updated: number;
                            } | null;
                            error?: {
                                error_code: string;
                                message: string;
                            };
                            finished_at: string | null;
                            held?: {
                                accounts: number;
                                memberships: number;
                            };
                            membership_counts: {
                                added: number;
                                removed: number;
                            } | null;
                            progress: {
                                name: string;
                                slug: string;
                                synced_count: number;
                                type: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            /** @description in_progress, completing, completed, error or abandoned. */
                            status: string;
                            /** Format: uuid */
                            superseded_by?: string;
                            /** Format: uuid */
                            sync_id: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/sync/{sync_id}/{slug}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Push a page of records */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    slug: string;
                    sync_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        records: ({
                            assignments?: {
                                [key: string]: {
                                    id: string;
                                    name?: string | null;
                                }[];
                            } | null;
                            display_name?: string | null;
                            email?: string | null;
                            first_name?: string | null;
                            id: string;
                            last_name?: string | null;
                            memberships?: {
                                [key: string]: {
                                    id: string;
                                    name?: string | null;
                                }[];
                            } | null;
                            /** @enum {unknown} */
                            status?: "active" | "inactive" | "suspended";
                            username?: string | null;
                        } | {
                            description?: string | null;
                            id: string;
                            name: string;
                        } | {
                            description?: string | null;
                            id: string;
                            is_paid?: boolean | null;
                            is_unlimited?: boolean | null;
                            max_count?: number | null;
                            name: string;
                            used_count?: number | null;
                        })[];
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            created: number;
                            total: number;
                            updated: number;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/sync/{sync_id}/abandon/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Abandon sync */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    sync_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/sync/{sync_id}/complete/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete sync */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    sync_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            counts: {
                                created: number;
                                removed: number;
                                unchanged: number;
                                updated: number;
                            } | null;
                            error?: {
                                error_code: string;
                                message: string;
                            };
                            finished_at: string | null;
                            held?: {
                                accounts: number;
                                memberships: number;
                            };
                            membership_counts: {
                                added: number;
                                removed: number;
                            } | null;
                            progress: {
                                name: string;
                                slug: string;
                                synced_count: number;
                                type: string;
                            }[];
                            /** Format: date-time */
                            started_at: string;
                            /** @description in_progress, completing, completed, error or abandoned. */
                            status: string;
                            /** Format: uuid */
                            superseded_by?: string;
                            /** Format: uuid */
                            sync_id: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/tasks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tasks of an app */
        get: {
            parameters: {
                query?: {
                    /** @description Page size; more than 1000 is read as 1000. */
                    limit?: number;
                    offset?: number;
                    status?: "pending" | "scheduled" | "completed" | "failed";
                };
                header?: never;
                path: {
                    app_id: string;
                };
                cookie?: never;
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
                            count: number;
                            next: string | null;
                            previous: string | null;
                            tasks: {
                                /** @enum {unknown} */
                                action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                                /** Format: date-time */
                                created_at: string;
                                error: {
                                    /** @enum {unknown} */
                                    code: "ACCOUNT_NOT_FOUND" | "ACCOUNT_ALREADY_EXISTS" | "LICENSE_EXHAUSTED" | "PERMISSION_DENIED" | "RATE_LIMITED" | "TIMEOUT" | "INTERNAL_ERROR";
                                    /** @description Shown to administrators. */
                                    message: string;
                                } | null;
                                /** Format: date-time */
                                execute_after: string;
                                /** Format: uuid */
                                id: string;
                                payload: {
                                    account: {
                                        [key: string]: string;
                                    } | null;
                                    changes: {
                                        [key: string]: {
                                            added: {
                                                id: string;
                                                name: string;
                                            }[];
                                            removed: {
                                                id: string;
                                                name: string;
                                            }[];
                                        };
                                    } | null;
                                    memberships: {
                                        [key: string]: {
                                            id: string;
                                            name: string;
                                        }[];
                                    } | null;
                                };
                                /** @description The slug of the account's resource type. */
                                resource_type: string;
                                result: Record<string, never> | null;
                                retry_of: string | null;
                                /** @description pending, scheduled, completed or failed; cancelled or preempted once it has left the list. */
                                status: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/tasks/{task_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get task of an app */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    task_id: string;
                };
                cookie?: never;
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
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            /** Format: date-time */
                            created_at: string;
                            error: {
                                /** @enum {unknown} */
                                code: "ACCOUNT_NOT_FOUND" | "ACCOUNT_ALREADY_EXISTS" | "LICENSE_EXHAUSTED" | "PERMISSION_DENIED" | "RATE_LIMITED" | "TIMEOUT" | "INTERNAL_ERROR";
                                /** @description Shown to administrators. */
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            /** Format: uuid */
                            id: string;
                            payload: {
                                account: {
                                    [key: string]: string;
                                } | null;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                } | null;
                                memberships: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                } | null;
                            };
                            /** @description The slug of the account's resource type. */
                            resource_type: string;
                            result: Record<string, never> | null;
                            retry_of: string | null;
                            /** @description pending, scheduled, completed or failed; cancelled or preempted once it has left the list. */
                            status: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bridge/apps/{app_id}/tasks/{task_id}/status/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Report a task */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    app_id: string;
                    task_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code: "ACCOUNT_NOT_FOUND" | "ACCOUNT_ALREADY_EXISTS" | "LICENSE_EXHAUSTED" | "PERMISSION_DENIED" | "RATE_LIMITED" | "TIMEOUT" | "INTERNAL_ERROR";
                            /** @description Shown to administrators. */
                            message: string;
                        } | null;
                        result?: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {unknown} */
                        status: "completed" | "failed";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {unknown} */
                            action: "create_account" | "update_account" | "delete_account" | "suspend_account" | "unsuspend_account" | "reset_password";
                            /** Format: date-time */
                            created_at: string;
                            error: {
                                /** @enum {unknown} */
                                code: "ACCOUNT_NOT_FOUND" | "ACCOUNT_ALREADY_EXISTS" | "LICENSE_EXHAUSTED" | "PERMISSION_DENIED" | "RATE_LIMITED" | "TIMEOUT" | "INTERNAL_ERROR";
                                /** @description Shown to administrators. */
                                message: string;
                            } | null;
                            /** Format: date-time */
                            execute_after: string;
                            /** Format: uuid */
                            id: string;
                            payload: {
                                account: {
                                    [key: string]: string;
                                } | null;
                                changes: {
                                    [key: string]: {
                                        added: {
                                            id: string;
                                            name: string;
                                        }[];
                                        removed: {
                                            id: string;
                                            name: string;
                                        }[];
                                    };
                                } | null;
                                memberships: {
                                    [key: string]: {
                                        id: string;
                                        name: string;
                                    }[];
                                } | null;
                            };
                            /** @description The slug of the account's resource type. */
                            resource_type: string;
                            result: Record<string, never> | null;
                            retry_of: string | null;
                            /** @description pending, scheduled, completed or failed; cancelled or preempted once it has left the list. */
                            status: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/auth/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people sign in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            organization: {
                                name: string;
                                slug: string;
                            };
                            providers: {
                                id: string;
                                name: string;
                                type: "oidc" | "saml";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey-sign-in/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        response: {
                            id: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            signed_in: boolean;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey-sign-in/options/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with a passkey */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my passkeys */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            results: {
                                /** @description It is on more than one device. */
                                backed_up: boolean;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: uuid */
                                id: string;
                                name: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Add a passkey */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        response: {
                            id: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description It is on more than one device. */
                            backed_up: boolean;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: uuid */
                            id: string;
                            name: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/{passkey_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove one of my passkeys */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    passkey_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkeys/options/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * @description Within a day of signing in.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change my password
         * @description Ends my other sessions.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        current_password: string;
                        /** @description 8 to 128 characters. */
                        new_password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the second factor of a sign-in that waits for it
         * @description Within 10 minutes of the password. Five wrong codes end the sign-in.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                        kind: "totp" | "backup_code";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            signed_in: boolean;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my sessions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
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
                            results: {
                                /** Format: date-time */
                                created_at: string;
                                /** @description The one of this request. */
                                current: boolean;
                                /** Format: date-time */
                                expires_at: string;
                                /** Format: uuid */
                                id: string;
                                ip: string | null;
                                /** Format: date-time */
                                last_used_at: string;
                                method: string;
                                provider: string | null;
                                second_factor: boolean;
                                user_agent: string | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of my sessions */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password
         * @description Sets the session cookie. After 10 wrong passwords, codes or links within 15 minutes, the address is refused with 429 for 15 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The password was right; show a second factor. */
                            second_factor?: boolean;
                            signed_in: boolean;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in through a provider */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        provider: string;
                        /** @description A path of the console. Anything else is /. */
                        return_to?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/callback/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where an OpenID Connect provider sends people back to */
        get: {
            parameters: {
                query?: {
                    code?: string;
                    error?: string;
                    error_description?: string;
                    state?: string;
                };
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/saml/{provider}/metadata/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Our metadata, for a SAML provider */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sso/saml2/sp/acs/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where a SAML provider sends its answers */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    provider: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": {
                        RelayState: string;
                        SAMLResponse: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/totp/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up one-time codes as my second factor
         * @description It counts once a first code was shown. The backup codes work once each, and are shown in this answer only.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            backup_codes: string[];
                            /** @description otpauth:, for a QR code. */
                            uri: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Remove my second factor */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/totp/verify/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show a first one-time code: the second factor counts from now on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/welcome/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a password with a one-time link */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description 8 to 128 characters. */
                        new_password: string;
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            email: string;
                        };
                    };
                };
                /** @description Refused */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            detail: string;
            errors?: {
                code: string;
                message: string;
                path: string;
                /** @description Within a condition in CEL: line and column from 1. */
                position?: {
                    column: number;
                    line: number;
                    offset: number;
                };
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
