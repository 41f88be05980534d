/** The networks that come with the product. Data only, without zod: public pages draw from it. */
import type { Task } from './task.ts'

/** In the order offered; the first of a task is the default for small images. Texts: locale file networks.json. */
export const builtInNetworks = {
  classification: ['small_resnet', 'resnet18_small', 'resnet18', 'mobilenetv2'],
  multilabel: ['small_resnet', 'resnet18_small', 'resnet18', 'mobilenetv2'],
  segmentation: ['unet_small', 'unet', 'attention_unet'],
  volume_segmentation: ['unet3d_small', 'unet3d'],
  detection: ['yolo_small', 'yolo', 'fcos', 'centernet'],
  super_resolution: ['edsr_small', 'edsr', 'espcn', 'srresnet', 'srcnn'],
  denoising: ['dncnn_small', 'dncnn'],
} as const satisfies Record<Task, readonly string[]>
