/** The pages of the help in the order in which they are listed, by what the reader does. `path`: of the file in docs/, without `.md`. */
export interface Section {
  title: string;
  groups: Group[];
}

export interface Group {
  title?: string;
  paths: string[];
}

export const CONTENTS: readonly Section[] = [
  {
    title: 'Start',
    groups: [
      { paths: ['start/administrator', 'start/operator', 'start/connector-author', 'start/console-story'] },
    ],
  },
  {
    title: 'Guides',
    groups: [
      {
        title: 'Bring in people and apps',
        paths: [
          'guides/console',
          'guides/people',
          'guides/spreadsheets',
          'guides/scim',
          'guides/managed-connectors',
        ],
      },
      {
        title: 'Give and end access',
        paths: [
          'guides/requests',
          'guides/policies',
          'guides/provisioning',
          'guides/fulfillment',
          'guides/notifications',
        ],
      },
      {
        title: 'Check access',
        paths: ['guides/reviews', 'guides/findings', 'guides/queries', 'guides/grants'],
      },
      {
        title: 'Prove it, and undo mistakes',
        paths: ['guides/proof', 'guides/an-auditor-asks', 'guides/restore-and-revert'],
      },
      {
        title: 'Choose Gatehouse, and move to it',
        paths: ['guides/faq', 'guides/move-from-other-products'],
      },
      {
        title: 'Install and set up',
        paths: [
          'guides/install',
          'guides/run-it',
          'guides/sign-in',
          'guides/sizing',
          'guides/topologies',
          'guides/move-to-postgresql',
          'guides/replicas',
          'guides/cluster',
        ],
      },
      {
        title: 'Keep it running',
        paths: ['guides/backup', 'guides/upgrade', 'guides/runbook', 'guides/troubleshooting'],
      },
      {
        title: 'Send events elsewhere',
        paths: ['guides/siem', 'guides/webhooks'],
      },
      {
        title: 'Connect a system',
        paths: ['guides/connect-your-app', 'guides/connectors', 'guides/rest', 'guides/sql'],
      },
      {
        title: 'Write a program',
        paths: ['guides/start-with-curl', 'guides/api', 'guides/clients', 'guides/terraform'],
      },
    ],
  },
  {
    title: 'Reference',
    groups: [
      {
        paths: [
          'reference/configuration',
          'reference/cli',
          'reference/protocol',
          'reference/events',
          'reference/errors',
          'reference/connectors',
          'reference/references',
          'reference/vocabulary',
          'reference/stability',
          'reference/release-process',
          'reference/development',
        ],
      },
    ],
  },
  {
    title: 'Explanations',
    groups: [
      {
        paths: [
          'explanations/history',
          'explanations/scale',
          'explanations/security',
          'explanations/privacy',
          'explanations/controls',
          'reference/decisions',
          'adr/index',
        ],
      },
    ],
  },
];
