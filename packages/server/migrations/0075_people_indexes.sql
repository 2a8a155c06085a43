-- runs-with: 0060
-- In a file of their own: the columns in 0073 need an exclusive lock, during which no index should be built.
create index platform_user_username on platform_user (org_id, lower(username));
create index platform_user_merged on platform_user (org_id, merged_into) where merged_into is not null;

-- People who have left, or will.
create index platform_user_leaver on platform_user (org_id, id) where status = 'deactivated' or end_date is not null;

-- The people to whom an unlinked account may belong (inventory/queries/suggestions.ts). The key of a name is the initial and the
-- last name without accents, such as alovelace.
create index platform_user_local_part on platform_user (org_id, split_part(email_key(email), '@', 1));
create index platform_user_name_key on platform_user
  (org_id, regexp_replace(normalize(lower(left(first_name, 1) || last_name), NFKD), '[^[:alnum:]]', '', 'g'));
