-- runs-with: 0060
-- The accounts of an organization in the order of their last sign-in. account_detail_sign_in has those of one app.
create index account_detail_used on account_detail (org_id, last_sign_in_at, account_id) where last_sign_in_at is not null;
