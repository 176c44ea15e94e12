-- Deliveries belong to the trace of the call that caused their event. Null where nothing was traced.
call lock_tables(array['event']);
alter table event add column traceparent text;
