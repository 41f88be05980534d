-- The names of tasks, layouts and files of runs are those of the contract, which grows.
alter table projects
  drop constraint projects_task_check,
  add constraint projects_task_check check (task in (
    'classification', 'multilabel', 'segmentation', 'volume_segmentation', 'detection', 'super_resolution', 'denoising'
  ));

alter table datasets
  drop constraint datasets_task_check,
  drop constraint datasets_layout_check,
  add constraint datasets_task_check check (task in (
    'classification', 'multilabel', 'segmentation', 'volume_segmentation', 'detection', 'super_resolution', 'denoising'
  )),
  add constraint datasets_layout_check check (layout in (
    'class_folders', 'images_masks', 'csv_labels', 'voc', 'coco', 'yolo', 'volume_pairs', 'resolution_pairs',
    'noise_pairs'
  ));

alter table runs
  drop constraint runs_task_check,
  add constraint runs_task_check check (task in (
    'classification', 'multilabel', 'segmentation', 'volume_segmentation', 'detection', 'super_resolution', 'denoising'
  ));

alter table run_artifacts
  drop constraint run_artifacts_kind_check,
  add constraint run_artifacts_kind_check check (kind in (
    'weights', 'onnx', 'predictions_csv', 'masks_zip', 'boxes_json', 'images_zip'
  ));
