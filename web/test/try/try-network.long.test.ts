import { compareAnswers } from './try-answers.ts'

const grey = { channels: 1, bits: 8 } as const
const colour = { channels: 3, bits: 8 } as const
const deep = { channels: 1, bits: 16 } as const

/** Further networks of every task that come with the product, and those that take one size alone. */
compareAnswers([
  { name: 'named-deep', task: 'classification', network: 'mobilenetv2', size: [32, 48], ...deep },
  { name: 'named-by-tokens', task: 'classification', network: 'vit_tiny', size: [32, 32], ...grey },
  { name: 'labelled', task: 'multilabel', network: 'small_resnet', size: [32, 32], ...grey },
  { name: 'outlined', task: 'segmentation', network: 'unet_small', size: [32, 32], ...colour },
  { name: 'outlined-at-a-part', task: 'segmentation', network: 'deeplab', size: [64, 64], ...grey },
  { name: 'framed', task: 'detection', network: 'yolo_small', size: [64, 64], ...colour },
  { name: 'framed-by-middles', task: 'detection', network: 'centernet', size: [64, 64], ...grey },
  { name: 'enlarged', task: 'super_resolution', network: 'edsr_small', size: [16, 16], factor: 2, ...colour },
  { name: 'denoised', task: 'denoising', network: 'dncnn_small', size: [16, 16], ...grey },
  { name: 'denoised-deep', task: 'denoising', network: 'dncnn_small', size: [16, 16], ...deep },
])
