-- Classes in names of files, boxes in tables, LabelMe and CVAT.
alter table datasets
  drop constraint datasets_layout_check,
  add constraint datasets_layout_check check (layout in (
    'class_folders', 'images_masks', 'csv_labels', 'name_classes', 'csv_boxes', 'labelme', 'cvat', 'voc', 'coco', 'yolo',
    'volume_pairs', 'resolution_pairs', 'noise_pairs'
  ));
