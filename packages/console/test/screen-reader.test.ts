// @module-tag long
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../protocol/src/version.ts';
import { type ConsoleTest, openSharedConsole } from './harness.ts';
import type { Seeded } from './seed.ts';

const MARTA = 'marta.silva@acme.example';

let gatehouse: ConsoleTest;
let held = '';
beforeAll(async () => {
  gatehouse = await openSharedConsole();
  const { results } = await gatehouse.api.get(`/api/apps/${gatehouse.seeded.apps.code}/syncs/`);
  held = results.find((session: { held?: object }) => session.held !== undefined).sync_id;
  return gatehouse.close;
});

/** A line of the accessibility tree, without its indentation: `- button "Keep"`. */
type Line = string | RegExp;

/** A control or a landmark that has no name although it needs one. */
const NAMELESS =
  /^- (button|link|textbox|searchbox|combobox|checkbox|radio|radiogroup|slider|tab|menuitem|table|dialog|figure|option)( \[[^\]]*\])*:?$/;

/** Expects these lines in this order, with others between them, and a name on all that needs one. */
async function expectRead(within: Locator, expected: readonly Line[]): Promise<void> {
  const faults = async () => {
    const lines = (await within.ariaSnapshot()).split('\n').map((line) => line.trim());
    const rest = [...lines];
    const missing = expected.filter((line) => {
      const at = rest.findIndex((one) => (typeof line === 'string' ? one === line : line.test(one)));
      if (at >= 0) rest.splice(0, at + 1);
      return at < 0;
    });
    return { missing, nameless: lines.filter((line) => NAMELESS.test(line)) };
  };
  await expect.poll(faults).toEqual({ missing: [], nameless: [] });
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const search = async (page: Page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Search' }).fill('Marta');
};
const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');

interface Read {
  of: string;
  address: string | ((seeded: Seeded) => string);
  open?: (page: Page) => Promise<void>;
  within?: (page: Page) => Locator;
  lines: readonly Line[];
}

const READ: Read[] = [
  {
    of: 'the overview',
    address: '/',
    lines: [
      '- heading "Work" [level=1]',
      '- list "Key figures":',
      /^- link "[\d,]+ active accounts":$/,
      /^- link "[\d,]+ orphaned":$/,
      /^- link "\d+ leavers? with access":$/,
      '- region "Sync health":',
      '- link "Code Hosting":',
      '- text: Large removal held',
      '- table "Failed tasks by day, UTC":',
      '- table "Seats in use, fullest licenses first":',
      '- rowheader "Sales seat, Customer CRM":',
      '- cell "97 of 100"',
      '- table "Decided items in open reviews":',
    ],
  },
  {
    of: 'the list of apps',
    address: '/apps',
    lines: [
      '- heading "Apps" [level=1]',
      '- link "Add app":',
      '- searchbox "Search by name"',
      '- button "Arrange table"',
      '- table "Apps":',
      '- columnheader "Name"',
      '- columnheader "Status"',
      '- columnheader "Last sync"',
      '- link "Code Hosting":',
      '- cell "Large removal held"',
      '- img "1 of the last 2 syncs completed"',
      '- button "Export CSV"',
    ],
  },
  {
    of: 'the findings',
    address: '/findings',
    lines: [
      '- heading "Findings" [level=1]',
      '- group "Kind":',
      /^- button "Leaver with access \d+"/,
      '- table "Findings":',
      '- columnheader "Subject"',
      '- columnheader "Severity"',
      // A name with a colon is quoted.
      /^- 'button "Link person: Orphaned account: .+"'/,
      /^- 'button "Accept: .+"'/,
      /^- 'button "Assign: .+"'/,
      '- button "Export CSV"',
    ],
  },
  {
    of: 'the access of all apps',
    address: '/access',
    lines: [
      '- heading "Access" [level=1]',
      '- button "As of now"',
      '- searchbox "Search by name"',
      '- table "Access":',
      /^- columnheader "Risk/,
      '- columnheader "Of leavers"',
      /^- columnheader "Last reviewed/,
    ],
  },
  {
    of: 'the saved queries',
    address: '/queries',
    lines: ['- heading "Queries" [level=1]', /^- link "New query"/, /^- group "Examples"/],
  },
  {
    of: 'a group',
    address: ({ apps }) => `/access?app=${apps.crm}&slug=group&id=support`,
    lines: [
      '- link "Access":',
      '- heading "Support agents" [level=1]',
      '- term: Approvers',
      '- term: Last reviewed',
      '- tab "Accounts with this group" [selected]',
      '- table "Accounts with Support agents":',
      '- columnheader "Why"',
      '- columnheader "Last used"',
    ],
  },
  {
    of: 'a sync with a held removal',
    address: ({ apps }) => `/apps/${apps.code}/syncs/${held}`,
    lines: [
      '- link "All syncs":',
      '- heading "Sync of Code Hosting" [level=1]',
      /^- alert "This sync would take away .+":$/,
      '- button "Reject removal"',
      '- button "Approve removal"',
      '- table "Records that approving removes":',
    ],
  },
  {
    of: 'the access of a person by its reason',
    address: ({ people }) => `/people/${people[MARTA]}`,
    lines: [
      '- table "Access by reason":',
      '- columnheader "Ends"',
      '- rowheader "Discovered by sync"',
      '- button "Why Engineering": Why',
    ],
  },
  {
    of: 'a person',
    address: ({ people }) => `/people/${people[MARTA]}?by=account`,
    lines: [
      '- heading "Marta Silva" [level=1]',
      '- button "Edit"',
      '- tab "Access" [selected]',
      '- tab "Timeline"',
      '- tab "Activity"',
      '- tab "Requests and tasks"',
      '- tabpanel "Access":',
      /^- slider "Day"/,
      '- table "Accounts":',
      '- columnheader "Groups and licenses"',
      '- columnheader "Last seen"',
      '- link "Corporate Directory":',
      '- cell "Engineering, VPN users"',
      '- region "Profile":',
      '- term: Manager',
      '- link "Ada Bauer":',
    ],
  },
  {
    of: "the graph of a person's access",
    address: ({ people }) => `/people/${people[MARTA]}?by=graph`,
    lines: [
      '- tab "Access" [selected]',
      '- button "Graph" [pressed]',
      '- figure "Access of Marta Silva":',
      '- button "Show table"',
      '- link "Marta Silva in Corporate Directory":',
      '- link "Marta Silva in Code Hosting":',
      /^- text: Groups and licenses Engineering/,
      '- link "Corporate Directory":',
      /^- text: Marta Silva has \d+ accounts with \d+ groups and licenses in \d+ apps\.$/,
    ],
  },
  {
    of: "the table of a person's access",
    address: ({ people }) => `/people/${people[MARTA]}?by=graph`,
    open: press('Show table'),
    within: (page) => page.getByRole('figure'),
    lines: [
      '- button "Show picture"',
      '- table "Access of Marta Silva":',
      '- columnheader "Account"',
      '- columnheader "Group or license"',
      '- columnheader "App"',
      '- row "Marta Silva VPN users Corporate Directory":',
    ],
  },
  {
    of: 'the items of a review',
    address: ({ cycles }) => `/reviews/cycles/${cycles.open}?all=true&decision=none`,
    lines: [
      '- heading "Quarterly review of Engineering" [level=1]',
      /^- 'progressbar "Decided: \d+ of \d+"'$/,
      '- group "View":',
      /^- button "All items \(\d+ to decide\)" \[pressed\]$/,
      '- searchbox "Search people and access"',
      '- group "Group by":',
      '- table "Items":',
      '- checkbox "Select all rows on this page"',
      /^- button "Keep all of .+": Keep all$/,
      /^- checkbox "Select (Group|License|Account) .+ of .+ in .+"$/,
      /^- button "Details of (Group|License|Account) .+ of .+ in .+": /,
      /^- group "Decision on (Group|License|Account) .+ of .+ in .+":$/,
      '- button "Keep"',
      '- button "Revoke"',
      /^- 'button "Decide with a comment: .+ of .+ in .+"'$/,
    ],
  },
  {
    of: 'the details of an item',
    address: ({ cycles }) => `/reviews/cycles/${cycles.open}?all=true&decision=none`,
    open: press(/^Details of/),
    within: dialog,
    lines: [
      /^- dialog "(Group|License|Account) .+ of .+ in .+":$/,
      /^- heading "(Group|License|Account) .+ of .+ in .+" \[level=2\]$/,
      /^- button "Close"/,
      '- term: Access',
      '- term: App',
      '- term: Granted by',
      '- region "Peers":',
      /^- listitem: \d+ of \d+ with the same manager have it$/,
      '- region "Earlier decisions":',
    ],
  },
  {
    of: 'the catalog with a basket',
    address: '/requests/new?q=Sales',
    open: press(/^Choose Sales EMEA in/),
    lines: [
      '- heading "New request" [level=1]',
      /^- combobox "Beneficiary": Ada Bauer/,
      '- searchbox "Search by name or description": Sales',
      '- list "Catalog":',
      /^- heading "Sales EMEA" \[level=3\]:?$/,
      '- paragraph: Group in Customer CRM',
      /button "Chosen: Sales EMEA in Customer CRM" \[pressed\]'?: Chosen$/,
      '- button "Choose Sales seat in Customer CRM": Choose',
      '- region "Your request":',
      '- list "Chosen access":',
      '- button "Remove Sales EMEA in Customer CRM"',
      '- radiogroup "Duration":',
      '- radio "Permanent" [checked]',
      '- textbox "Reason"',
      '- button "Request access"',
    ],
  },
  {
    of: 'a request',
    address: ({ tickets }) => `/requests/${tickets.approved}`,
    lines: [
      /^- 'heading "REQ-\d+: access to Customer CRM for Felix Wagner" \[level=1\]'$/,
      '- list "Progress":',
      '- strong: Submitted',
      '- text: By Felix Wagner',
      '- strong: Approval',
      '- text: Approved by Marta Silva',
      '- strong: Provisioning',
      '- paragraph: Waiting for tasks in Customer CRM',
      '- region "Details":',
      '- term: Beneficiary',
      '- link "Felix Wagner":',
      '- text: felix.wagner@acme.example',
      '- region "Approval steps":',
      '- link "Marta Silva":',
      '- list "Tasks":',
      '- link "Create account":',
    ],
  },
  {
    of: 'the builder of a condition',
    address: '/policies/new?from=empty',
    open: press('Add condition'),
    lines: [
      '- heading "New policy" [level=1]',
      '- textbox "Name"',
      '- combobox "Trigger": Person created',
      '- region "Condition":',
      '- button "Edit as text"',
      '- group "Condition 1":',
      '- combobox "Field"',
      '- button "Remove Condition 1"',
      '- button "Add condition"',
      '- group "Effect 1":',
      '- combobox "Action": Grant access',
      '- checkbox "All apps"',
      '- combobox "Delay": No delay',
    ],
  },
  {
    of: 'the results of the search',
    address: '/',
    open: search,
    within: dialog,
    lines: [
      '- dialog "Search":',
      '- combobox "Search" [expanded]: Marta',
      '- listbox "Results":',
      '- group "People":',
      '- option "Marta Silva marta.silva@acme.example Person" [selected]',
      '- group "Accounts":',
      '- option "marta.silva@acme.example Code Hosting Account"',
      /^- status: \d+ results$/,
    ],
  },
  {
    of: 'the account menu',
    address: '/',
    open: press('Your account'),
    within: (page) => page.getByRole('menu'),
    lines: [
      '- menu "Your account":',
      '- text: Ada Bauer, owner',
      '- menuitem "My profile"',
      '- menuitem "Help about this page"',
      '- text: Language',
      '- menuitemradio "English" [checked]',
      '- menuitemradio "Deutsch"',
      '- menuitem "Sign out"',
      `- text: Gatehouse ${VERSION}`,
    ],
  },
];

test.each(READ)('screen readers read $of with its names', async ({ address, open, within = main, lines }) => {
  const { page, goto } = await gatehouse.visit('owner');
  await goto(typeof address === 'string' ? address : address(gatehouse.seeded));
  await open?.(page);
  await expectRead(within(page), lines);
});
