-- runs-with: 0060
-- The accounts of an app that were never used, or of which the app names an owner or attributes only (D54).
create index account_detail_unused on account_detail (org_id, app_id, account_id) where last_sign_in_at is null;
