-- runs-with: 0060
-- The key of a run of a connector. It is in no list, and ends with the run.
alter table api_key add column connector_run_id uuid;
create index api_key_connector_run on api_key (org_id, connector_run_id) where connector_run_id is not null;
