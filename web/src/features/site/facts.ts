import { datasets, files, password, signIns, training } from '@neuroloom/contract/limits'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { networkCount } from './network-count.ts'

/** Numbers that the texts of the public pages name: always the ones that the product keeps to. */
export const facts = (): Record<string, string> => ({
  looseFiles: formatNumber(files.looseFiles),
  folderFiles: formatNumber(files.filesPerFolderUpload),
  fileSize: formatBytes(files.fileBytes),
  minLabels: formatNumber(datasets.minLabels),
  minItems: formatNumber(training.minItems),
  minPerClass: formatNumber(training.minPerClass),
  fewPerClass: formatNumber(training.fewPerClass),
  passwordLength: formatNumber(password.minLength),
  ...networkCount(),
  signInDays: formatNumber(signIns.keepMs / dayMs),
})

const dayMs = 24 * 60 * 60 * 1000
