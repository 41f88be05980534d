/**
 * The tools of the toolbox, one entry each. A tool of another feature is added by a line here, its two texts in
 * `web/src/locales/<language>/toolbox.json` and, where it opens inside the toolbox, a line of `web/src/pages/toolbox/panels.ts`.
 * Data only, so that pages load no schemas for it.
 */
import { toolbox } from '../limits.ts'

export const toolGroups = ['statistics', 'data', 'look', 'models'] as const
export type ToolGroup = (typeof toolGroups)[number]

export const toolPictures = [
  'chart',
  'database',
  'parts',
  'eye',
  'exchange',
  'images',
  'hidden',
  'sliders',
  'pen',
  'ruler',
  'care',
  'overlap',
  'dice',
  'layers',
  'flow',
] as const
export type ToolPicture = (typeof toolPictures)[number]

type Entry = {
  name: string
  group: ToolGroup
  picture: ToolPicture
  /** Least membership level: 0 = everybody (design 4.29: what queues work on the device asks for bronze). */
  level: number
  /** A page of the product; without it the tool is a panel inside the toolbox. */
  page?: string
  /** What it is looked for by in English, besides its name in the language shown. */
  words: string
}

export const tools = [
  {
    name: 'statistics',
    group: 'statistics',
    picture: 'chart',
    level: 0,
    words:
      'statistics bench sensitivity specificity predictive value likelihood ratio roc auc delong youden mcnemar kappa fleiss bland altman agreement icc t test mann whitney sample size confidence interval',
  },
  {
    name: 'dataset',
    group: 'data',
    picture: 'database',
    level: 0,
    words: 'data set statistics facts classes duplicates near-duplicates patients problems giveaways',
  },
  {
    name: 'split',
    group: 'data',
    picture: 'parts',
    level: 0,
    words: 'split maker divide train validation test lists patient stratified',
  },
  {
    name: 'augmentation',
    group: 'data',
    picture: 'dice',
    level: 0,
    words:
      'augmentation preview random variation flip mirror rotate turn zoom shift brightness contrast noise crop training',
  },
  {
    name: 'prepare',
    group: 'data',
    picture: 'sliders',
    level: 0,
    words:
      'prepare batch recipe preprocessing resize crop pad rotate flip grey contrast clahe window normalise denoise bias field tiles stitch rename merge split colour mask index',
  },
  {
    name: 'doctor',
    group: 'data',
    picture: 'care',
    level: 0,
    words:
      'doctor repair fix mask masks labels mismatch size orientation exif affine spacing names pair palette empty values 255 nifti',
  },
  {
    name: 'algebra',
    group: 'data',
    picture: 'overlap',
    level: 0,
    words:
      'mask algebra masks union intersection difference xor majority vote staple consensus readers grow shrink dilate erode fill holes largest component island remap values volume area measure',
  },
  {
    name: 'labelling',
    group: 'data',
    picture: 'pen',
    level: 0,
    page: '/labelling',
    words: 'labelling annotate annotation brush polygon box keypoint mask segment draw readers',
  },
  {
    name: 'texts',
    group: 'data',
    picture: 'hidden',
    level: 0,
    page: '/cloudTexts',
    words: 'de-identifier deidentify anonymise burned-in texts names black out privacy ocr dicom ultrasound',
  },
  {
    name: 'viewer',
    group: 'look',
    picture: 'eye',
    level: 0,
    page: '/cloudHome',
    words: 'viewer view open look dicom nifti volume picture image video pdf table',
  },
  {
    name: 'measurement',
    group: 'look',
    picture: 'ruler',
    level: 0,
    page: '/cloudHome',
    words: 'measurement measure distance angle area profile ruler length millimetres',
  },
  {
    name: 'converter',
    group: 'look',
    picture: 'exchange',
    level: 0,
    words: 'converter convert format dicom nifti nrrd mha tiff png jpeg',
  },
  {
    name: 'flow',
    group: 'look',
    picture: 'flow',
    level: toolbox.queueLevel,
    page: '/flow',
    words:
      '4d flow mri imaging velocity venc vorticity vortex streamlines arrows phase contrast pc-mra flow curve net volume phantom womersley',
  },
  {
    name: 'predictor',
    group: 'models',
    picture: 'images',
    level: toolbox.queueLevel,
    words: 'batch predictor predict apply network model folder inference',
  },
  {
    name: 'inspector',
    group: 'models',
    picture: 'layers',
    level: 0,
    words:
      'inspector model weights layers parameters safetensors onnx checkpoint compare histogram nan receptive field cost',
  },
] as const satisfies readonly Entry[]

export type Tool = (typeof tools)[number]
export type ToolName = Tool['name']
/** Of tools that are no page of their own. */
export type PanelName = Exclude<Tool, { page: string }>['name']

export const toolNames: readonly ToolName[] = tools.map(({ name }) => name)

/** A tool that a member made (`own-tools.ts`), among favourites, in the history and in addresses. */
export type OwnToolName = `own:${string}`
export const ownToolName = (id: string): OwnToolName => `own:${id}`
/** Its id; null of a tool that comes with the product. */
export const ownToolId = (name: string): string | null =>
  name.startsWith('own:') ? name.slice('own:'.length) : null

/** Whether a membership has a tool of this level. */
export const hasTool = (
  { vipLevel, vipSuper }: { vipLevel: number; vipSuper: number },
  level: number,
): boolean => vipSuper !== 0 || vipLevel >= level
