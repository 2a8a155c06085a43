-- runs-with: 0060
-- The items of one person or one app, in cycles with a million items.
create index review_item_user on review_item (org_id, cycle_id, user_id, id) where user_id is not null;
create index review_item_app on review_item (org_id, cycle_id, app_id, id);
