import {
  codes,
  comparison,
  datasets,
  files,
  images,
  labelling,
  opinions,
  password,
  recipes,
  signIns,
  social,
  training,
} from '@neuroloom/contract/limits'
import { hyperRanges } from '@neuroloom/contract/suggest/hyper-ranges'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { networkCount } from './network-count.ts'

/** Numbers that the texts of the public pages name: always the ones that the product keeps to. */
export const facts = (): Record<string, string> => ({
  looseFiles: formatNumber(files.looseFiles),
  folderFiles: formatNumber(files.filesPerFolderUpload),
  fileSize: formatBytes(files.fileBytes),
  megapixels: formatNumber(images.maxPixels / 1e6),
  minLabels: formatNumber(datasets.minLabels),
  labelClasses: formatNumber(labelling.classes),
  labelReaders: formatNumber(labelling.readers),
  roundEvery: formatNumber(labelling.roundEvery.usual),
  roundAside: formatNumber(labelling.roundAside),
  recipeSteps: formatNumber(recipes.steps),
  recipeSamples: formatNumber(recipes.samples),
  minItems: formatNumber(training.minItems),
  minPerClass: formatNumber(training.minPerClass),
  fewPerClass: formatNumber(training.fewPerClass),
  minFolds: formatNumber(hyperRanges.splits.min),
  maxFolds: formatNumber(hyperRanges.splits.max),
  minCompared: formatNumber(comparison.tests.min),
  maxCompared: formatNumber(comparison.tests.max),
  codeDigits: formatNumber(codes.digits),
  codeMinutes: formatNumber(codes.validMs / minuteMs),
  codeWaitSeconds: formatNumber(codes.resendMs / 1000),
  passwordLength: formatNumber(password.minLength),
  ...networkCount(),
  socialImages: formatNumber(social.images),
  socialImageMegabytes: formatNumber(social.imageBytes / 1024 ** 2),
  withdrawMinutes: formatNumber(social.withdrawMs / minuteMs),
  chatGroupMembers: formatNumber(social.groupMembers),
  topicDays: formatNumber(social.topicDays),
  opinionStudies: formatNumber(opinions.studies),
  opinionLeast: formatNumber(opinions.leastStudies),
  signInDays: formatNumber(signIns.keepMs / dayMs),
})

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs
