/** Formats in which labels leave and come in. Data only, so that public pages load no schemas for it. */

/** Texts: `label-exchange:format.<name>`. */
export const labelFormats = [
  'coco',
  'yolo_boxes',
  'yolo_turned',
  'yolo_outlines',
  'yolo_points',
  'voc',
  'labelme',
  'cvat',
  'cvat_video',
  'csv',
  'png_index',
  'png_palette',
  'png_colour',
  'png_binary',
  'nifti',
  'nrrd',
  'seg_nrrd',
  'dicom_seg',
] as const
