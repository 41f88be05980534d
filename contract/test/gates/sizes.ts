/** Sizes at which the networks of the literature answer in a moment, where their design size takes long. */
import type { ResolveOptions } from '@neuroloom/contract/network/resolve/resolve'

const square = (side: number) => ({ inputs: { image: { size: [side, side] } } })
const cube = (side: number) => ({ size: [side, side, side] })

const small: Record<string, Pick<ResolveOptions, 'inputs' | 'params'>> = {
  attention_unet: square(48),
  centernet: square(64),
  deeplab: square(64),
  densenet121: square(64),
  edsr: square(16),
  fcn8: square(64),
  fcos: square(64),
  flow4d: { inputs: { velocity: cube(6), magnitude: cube(6) }, params: { width: 8 } },
  mobilenetv2: square(64),
  resnet18: square(64),
  resnet50: square(64),
  srresnet: square(16),
  swin_tiny: { ...square(64), params: { dim: 24 } },
  unet: square(48),
  unet3d: { inputs: { image: cube(16) } },
  unetpp: square(48),
  vgg16: { ...square(32), params: { classes: 10, hidden: 64 } },
  vit_tiny: square(64),
  yolo: square(64),
}

/** Nothing is changed for those that are small as they are. */
export function smaller(id: string): Pick<ResolveOptions, 'inputs' | 'params'> {
  return small[id] ?? {}
}
