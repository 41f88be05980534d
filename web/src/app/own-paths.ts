/** Paths of the application's own pages. The build lists them for the server, which answers others as missing. */
import type { OwnPath } from './workspace-pages.ts'

export const workspacePaths: readonly OwnPath[] = [
  'mangeHome',
  'projectHome',
  'projectDetail',
  'projectFlow',
  'projectRubbish',
  'projectFile',
  'cloudHome',
  'cloudFile',
  'cloudPrepare',
  'cloudTexts',
  'shareFile',
  'cloudProject',
  'run',
  'try',
  'compare',
  'report',
  'toolboxHome',
  'socialHome',
  'round',
  'opinion',
  'shopHome',
  'merchandiseDetail',
  'orderHome',
  'demandDetail',
  'postDemand',
  'caseDetail',
  'serviceProviderDetail',
  'dripe',
  'yamlCode',
  'labelling',
  'flow',
  'admin',
  'userCenter',
  'customTasks',
]

export const entrancePaths = ['login', 'register', 'firstPassword', 'forget'] as const

export const ownAddresses: readonly string[] = [...entrancePaths, ...workspacePaths].map((path) => `/${path}`)
