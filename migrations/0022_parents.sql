-- Whoever removes something looks for what belongs to it; these are the ways there.
create index house_reservation_space on house_reservation (space_id) where space_id is not null;
create index menu_item_menu on menu_item (menu_id);
create index product_space_space on product_space (space_id);
create index product_package_package on product_package (package_id);
create index product_menu_menu on product_menu (menu_id);
create index house_area_zone on house_area (zone_id);
create index house_table_area on house_table (area_id);
create index house_product_zone_zone on house_product_zone (zone_id);
create index house_space_zone_zone on house_space_zone (zone_id);
