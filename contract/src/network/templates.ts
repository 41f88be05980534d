/** The networks that come with the product as a start for one's own: where from, and in which sizes. Texts: locale file templates.json. */
import type { Block, Document, DocumentInput, ParamSpec } from './document/document.ts'
import type { TemplateTask } from './template-tasks.ts'

export interface Preset {
  /** Values of the document's parameters; those not named keep their default. */
  params: Readonly<Record<string, number>>
  /** Design size of every picture input; null where the input is a list of numbers. */
  size: readonly number[] | null
}

export interface Template {
  /** Also the name of its document, `wire/networks/<id>.yaml`. */
  id: string
  task: TemplateTask
  source: Source
  /** Learnable numbers of the published network, where the full preset is exactly that one. */
  published: number | null
  /** Trains on a computer without a graphics card. */
  small: Preset
  /** As in the paper; equal to the document's own defaults unless said otherwise. */
  full: Preset
}

export interface Source {
  authors: string
  title: string
  year: number
  url: string
}

export type PresetSize = 'small' | 'full'
export const presetSizes: readonly PresetSize[] = ['small', 'full']

/**
 * A document with a preset's values as its defaults and design size; it belongs to whoever chose it from then on.
 * `blockTitle` names its own blocks in the member's language; '' keeps a block's name.
 */
export function instantiate(
  document: Document,
  { params, size }: Preset,
  blockTitle: (name: string) => string = () => '',
): Document {
  const withValue = (name: string, spec: ParamSpec): ParamSpec => {
    const value = params[name]
    return value === undefined ? spec : { ...spec, default: value }
  }
  const withSize = (input: DocumentInput): DocumentInput =>
    input.size === undefined || size === null ? input : { ...input, size: [...size] }
  const withTitle = (name: string, block: Block): Block => {
    const title = blockTitle(name)
    return title === '' ? block : { ...block, title }
  }
  return {
    ...document,
    params: new Map([...document.params].map(([name, spec]) => [name, withValue(name, spec)])),
    inputs: new Map([...document.inputs].map(([name, input]) => [name, withSize(input)])),
    blocks: new Map([...document.blocks].map(([name, block]) => [name, withTitle(name, block)])),
  }
}

const residual: Source = {
  authors: 'He, Zhang, Ren, Sun',
  title: 'Deep Residual Learning for Image Recognition',
  year: 2015,
  url: 'https://arxiv.org/abs/1512.03385',
}
const enhanced: Source = {
  authors: 'Lim, Son, Kim, Nah, Lee',
  title: 'Enhanced Deep Residual Networks for Single Image Super-Resolution',
  year: 2017,
  url: 'https://arxiv.org/abs/1707.02921',
}
const noise: Source = {
  authors: 'Zhang, Zuo, Chen, Meng, Zhang',
  title: 'Beyond a Gaussian Denoiser: Residual Learning of Deep CNN for Image Denoising',
  year: 2016,
  url: 'https://arxiv.org/abs/1608.03981',
}
const uNet: Source = {
  authors: 'Ronneberger, Fischer, Brox',
  title: 'U-Net: Convolutional Networks for Biomedical Image Segmentation',
  year: 2015,
  url: 'https://arxiv.org/abs/1505.04597',
}

const yolox: Source = {
  authors: 'Ge, Liu, Wang, Li, Sun',
  title: 'YOLOX: Exceeding YOLO Series in 2021',
  year: 2021,
  url: 'https://arxiv.org/abs/2107.08430',
}

/** In the order shown within a task: what suits beginners first. */
export const templates: readonly Template[] = [
  {
    id: 'small_resnet',
    task: 'classification',
    source: residual,
    published: null,
    small: { params: { width: 16, depth: 1 }, size: [64, 64] },
    full: { params: {}, size: [64, 64] },
  },
  {
    id: 'resnet18_small',
    task: 'classification',
    source: residual,
    published: null,
    small: { params: { classes: 10, width: 8 }, size: [64, 64] },
    full: { params: {}, size: [128, 128] },
  },
  {
    id: 'resnet18',
    task: 'classification',
    source: residual,
    published: 11_689_512,
    small: { params: { classes: 10, width: 16 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'resnet50',
    task: 'classification',
    source: residual,
    published: 25_557_032,
    small: { params: { classes: 10, width: 16 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'mobilenetv2',
    task: 'classification',
    source: {
      authors: 'Sandler, Howard, Zhu, Zhmoginov, Chen',
      title: 'MobileNetV2: Inverted Residuals and Linear Bottlenecks',
      year: 2018,
      url: 'https://arxiv.org/abs/1801.04381',
    },
    published: 3_504_872,
    small: { params: { classes: 10, width: 0.5 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'densenet121',
    task: 'classification',
    source: {
      authors: 'Huang, Liu, van der Maaten, Weinberger',
      title: 'Densely Connected Convolutional Networks',
      year: 2016,
      url: 'https://arxiv.org/abs/1608.06993',
    },
    published: 7_978_856,
    small: { params: { classes: 10, growth: 12 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'vgg16',
    task: 'classification',
    source: {
      authors: 'Simonyan, Zisserman',
      title: 'Very Deep Convolutional Networks for Large-Scale Image Recognition',
      year: 2014,
      url: 'https://arxiv.org/abs/1409.1556',
    },
    published: 138_357_544,
    small: { params: { classes: 10, width: 16, hidden: 128 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'vit_tiny',
    task: 'classification',
    source: {
      authors: 'Dosovitskiy, Beyer, Kolesnikov, Weissenborn, Zhai et al.',
      title: 'An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale',
      year: 2020,
      url: 'https://arxiv.org/abs/2010.11929',
    },
    published: 5_717_416,
    small: { params: { classes: 10, dim: 128, depth: 6, heads: 4, patch: 8 }, size: [64, 64] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'swin_tiny',
    task: 'classification',
    source: {
      authors: 'Liu, Lin, Cao, Hu, Wei, Zhang, Lin, Guo',
      title: 'Swin Transformer: Hierarchical Vision Transformer using Shifted Windows',
      year: 2021,
      url: 'https://arxiv.org/abs/2103.14030',
    },
    published: 28_288_354,
    small: { params: { classes: 10, dim: 24, heads: 1, pairs: 2, window: 4 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'mlp',
    task: 'classification',
    source: {
      authors: 'Rumelhart, Hinton, Williams',
      title: 'Learning representations by back-propagating errors',
      year: 1986,
      url: 'https://doi.org/10.1038/323533a0',
    },
    published: null,
    small: { params: { values: 64, hidden: 64 }, size: null },
    full: { params: {}, size: null },
  },
  {
    id: 'unet_small',
    task: 'segmentation',
    source: uNet,
    published: null,
    small: { params: { width: 8 }, size: [128, 128] },
    full: { params: {}, size: [128, 128] },
  },
  {
    id: 'unet',
    task: 'segmentation',
    source: uNet,
    published: null,
    small: { params: { width: 12 }, size: [128, 128] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'attention_unet',
    task: 'segmentation',
    source: {
      authors: 'Oktay, Schlemper, Le Folgoc, Lee, Heinrich et al.',
      title: 'Attention U-Net: Learning Where to Look for the Pancreas',
      year: 2018,
      url: 'https://arxiv.org/abs/1804.03999',
    },
    published: null,
    small: { params: { width: 8 }, size: [128, 128] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'unetpp',
    task: 'segmentation',
    source: {
      authors: 'Zhou, Siddiquee, Tajbakhsh, Liang',
      title: 'UNet++: A Nested U-Net Architecture for Medical Image Segmentation',
      year: 2018,
      url: 'https://arxiv.org/abs/1807.10165',
    },
    published: null,
    small: { params: { width: 8 }, size: [128, 128] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'unet3d_small',
    task: 'segmentation',
    source: {
      authors: 'Çiçek, Abdulkadir, Lienkamp, Brox, Ronneberger',
      title: '3D U-Net: Learning Dense Volumetric Segmentation from Sparse Annotation',
      year: 2016,
      url: 'https://arxiv.org/abs/1606.06650',
    },
    published: null,
    small: { params: { width: 8 }, size: [32, 32, 32] },
    full: { params: {}, size: [32, 32, 32] },
  },
  {
    id: 'unet3d',
    task: 'segmentation',
    source: {
      authors: 'Çiçek, Abdulkadir, Lienkamp, Brox, Ronneberger',
      title: '3D U-Net: Learning Dense Volumetric Segmentation from Sparse Annotation',
      year: 2016,
      url: 'https://arxiv.org/abs/1606.06650',
    },
    published: null,
    small: { params: { width: 8 }, size: [32, 32, 32] },
    full: { params: {}, size: [32, 64, 64] },
  },
  {
    id: 'fcn8',
    task: 'segmentation',
    source: {
      authors: 'Long, Shelhamer, Darrell',
      title: 'Fully Convolutional Networks for Semantic Segmentation',
      year: 2014,
      url: 'https://arxiv.org/abs/1411.4038',
    },
    published: null,
    small: { params: { classes: 2, width: 16, hidden: 128 }, size: [128, 128] },
    full: { params: {}, size: [224, 224] },
  },
  {
    id: 'deeplab',
    task: 'segmentation',
    source: {
      authors: 'Chen, Zhu, Papandreou, Schroff, Adam',
      title: 'Encoder-Decoder with Atrous Separable Convolution for Semantic Image Segmentation',
      year: 2018,
      url: 'https://arxiv.org/abs/1802.02611',
    },
    published: null,
    small: { params: { classes: 2, width: 16, decoder: 32 }, size: [128, 128] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'edsr_small',
    task: 'super-resolution',
    source: enhanced,
    published: null,
    small: { params: { width: 16 }, size: [24, 24] },
    full: { params: {}, size: [24, 24] },
  },
  {
    id: 'srcnn',
    task: 'super-resolution',
    source: {
      authors: 'Dong, Loy, He, Tang',
      title: 'Image Super-Resolution Using Deep Convolutional Networks',
      year: 2014,
      url: 'https://arxiv.org/abs/1501.00092',
    },
    /** The paper counts 57,184 weights; the other 97 are the biases. */
    published: 57_281,
    small: { params: { width: 32 }, size: [48, 48] },
    full: { params: {}, size: [48, 48] },
  },
  {
    id: 'espcn',
    task: 'super-resolution',
    source: {
      authors: 'Shi, Caballero, Huszár, Totz, Aitken et al.',
      title:
        'Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel Convolutional Neural Network',
      year: 2016,
      url: 'https://arxiv.org/abs/1609.05158',
    },
    published: null,
    small: { params: { width: 32, factor: 2 }, size: [48, 48] },
    full: { params: {}, size: [48, 48] },
  },
  {
    id: 'edsr',
    task: 'super-resolution',
    source: enhanced,
    published: 1_369_859,
    small: { params: { width: 32, depth: 4 }, size: [48, 48] },
    full: { params: {}, size: [48, 48] },
  },
  {
    id: 'srresnet',
    task: 'super-resolution',
    source: {
      authors: 'Ledig, Theis, Huszár, Caballero, Cunningham et al.',
      title: 'Photo-Realistic Single Image Super-Resolution Using a Generative Adversarial Network',
      year: 2016,
      url: 'https://arxiv.org/abs/1609.04802',
    },
    published: null,
    small: { params: { width: 32, depth: 4, factor: 2 }, size: [48, 48] },
    full: { params: {}, size: [24, 24] },
  },
  {
    id: 'dncnn_small',
    task: 'denoising',
    source: noise,
    published: null,
    small: { params: { width: 16 }, size: [32, 32] },
    full: { params: {}, size: [32, 32] },
  },
  {
    id: 'dncnn',
    task: 'denoising',
    source: noise,
    published: null,
    small: { params: { width: 32, depth: 6 }, size: [48, 48] },
    full: { params: {}, size: [48, 48] },
  },
  {
    id: 'yolo_small',
    task: 'detection',
    source: yolox,
    published: null,
    small: { params: { width: 8 }, size: [256, 256] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'yolo',
    task: 'detection',
    source: yolox,
    published: null,
    small: { params: { classes: 3, width: 16 }, size: [256, 256] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'centernet',
    task: 'detection',
    source: {
      authors: 'Zhou, Wang, Krähenbühl',
      title: 'Objects as Points',
      year: 2019,
      url: 'https://arxiv.org/abs/1904.07850',
    },
    published: null,
    small: { params: { width: 16 }, size: [256, 256] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'fcos',
    task: 'detection',
    source: {
      authors: 'Tian, Shen, Chen, He',
      title: 'FCOS: Fully Convolutional One-Stage Object Detection',
      year: 2019,
      url: 'https://arxiv.org/abs/1904.01355',
    },
    published: null,
    small: { params: { classes: 3, width: 16, neck: 32 }, size: [256, 256] },
    full: { params: {}, size: [256, 256] },
  },
  {
    id: 'flow4d_small',
    task: 'flow',
    source: {
      authors: 'Ferdian, Suinesiaputra, Dubowitz, Zhao, Wang, Cowan, Young',
      title: '4DFlowNet: Super-Resolution 4D Flow MRI Using Deep Learning and Computational Fluid Dynamics',
      year: 2020,
      url: 'https://doi.org/10.3389/fphy.2020.00138',
    },
    published: null,
    small: { params: { width: 16, low: 2 }, size: [12, 12, 12] },
    full: { params: {}, size: [12, 12, 12] },
  },
  {
    id: 'flow4d',
    task: 'flow',
    source: {
      authors: 'Ferdian, Suinesiaputra, Dubowitz, Zhao, Wang, Cowan, Young',
      title: '4DFlowNet: Super-Resolution 4D Flow MRI Using Deep Learning and Computational Fluid Dynamics',
      year: 2020,
      url: 'https://doi.org/10.3389/fphy.2020.00138',
    },
    published: 3_342_083,
    small: { params: { width: 16, low: 2, high: 1 }, size: [12, 12, 12] },
    full: { params: {}, size: [16, 16, 16] },
  },
]
