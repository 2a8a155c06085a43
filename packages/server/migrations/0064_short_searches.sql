-- runs-with: 0060
-- Searches for one or two letters read this index as well as account_part, which stores parts of three letters (see
-- accountMatches in inventory/facts.ts). It has only the accounts with a letter beyond ASCII: in most organizations,
-- few or none. The statistics tell the planner how many.
create index account_beyond_ascii on account (org_id)
  where octet_length(email || username || display_name) - char_length(email || username || display_name) > 0;
create statistics account_beyond_ascii
  on (octet_length(email || username || display_name) - char_length(email || username || display_name)) from account;
