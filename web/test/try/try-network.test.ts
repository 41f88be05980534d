import { compareAnswers } from './try-answers.ts'

const grey = { channels: 1, bits: 8 } as const
const colour = { channels: 3, bits: 8 } as const
const deep = { channels: 1, bits: 16 } as const

/** Classes, areas, boxes and a picture, from grey, coloured and deep ones. */
compareAnswers([
  { name: 'named', task: 'classification', network: 'small_resnet', size: [32, 32], ...colour },
  { name: 'outlined-deep', task: 'segmentation', network: 'unet_small', size: [48, 32], ...deep },
  { name: 'framed-by-points', task: 'detection', network: 'fcos', size: [64, 64], ...grey },
  { name: 'enlarged-deep', task: 'super_resolution', network: 'espcn', size: [16, 16], factor: 3, ...deep },
])
