/** Every address of the product that needs no thing of its own: what is looked through page by page, and what is pictured. */
import { sitePaths } from '../web/src/features/site/pages.ts'

/** Their language stands in the address. */
export const sitePages = sitePaths

/** Answered with the application and the status of a missing page, which browsers note in their console. */
export const missingPage = '/nowhere'
export const entrances = ['/login', '/register', '/register?form=member', '/forget', missingPage]

export const workspacePages = [
  '/mangeHome',
  '/projectHome',
  '/projectHome?tab=public',
  '/projectRubbish',
  '/dripe',
  '/labelling',
  '/labelling?new',
  '/flow',
  '/flow?known',
  '/cloudHome',
  '/cloudHome?tab=groups',
  '/cloudHome?tab=records',
  '/cloudTexts',
  '/run',
  '/toolboxHome',
  '/toolboxHome?tab=history',
  '/toolboxHome?tool=converter',
  '/toolboxHome?tool=prepare',
  '/toolboxHome?tool=doctor',
  '/toolboxHome?tool=algebra',
  '/toolboxHome?tool=statistics',
  '/toolboxHome?tool=dataset',
  '/toolboxHome?tool=split',
  '/toolboxHome?tool=augmentation',
  '/toolboxHome?tool=inspector',
  '/toolboxHome?tool=own:nothing',
  '/socialHome',
  '/socialHome?tab=groups',
  '/socialHome?tab=messages',
  '/socialHome?tab=book',
  '/socialHome?tab=posts',
  '/socialHome?tab=friends',
  '/socialHome?tab=fans',
  '/shopHome',
  '/shopHome?tab=networks',
  '/shopHome?tab=demands',
  '/shopHome?tab=cases',
  '/shopHome?tab=providers',
  '/shopHome?rules=1',
  '/postDemand',
  '/orderHome',
  '/try',
  '/userCenter',
  '/userCenter?tab=upgrade',
  '/userCenter?tab=orders',
  '/userCenter?tab=points',
  '/userCenter?tab=wallet',
  '/userCenter?tab=custom',
  '/userCenter?tab=code',
  '/userCenter?tab=shop',
  '/userCenter?tab=history',
  '/userCenter?tab=signins',
  '/userCenter?tab=password',
  '/userCenter?tab=introduction',
  '/userCenter?tab=storage',
  '/userCenter?tab=language',
  '/userCenter?tab=cancel',
  '/customTasks',
]

export const officePages = [
  '/admin',
  '/admin?part=plans',
  '/admin?part=orders',
  '/admin?part=invoices',
  '/admin?part=listings',
  '/admin?part=claims',
  '/admin?part=demands',
  '/admin?part=withdrawals',
  '/admin?part=tasks',
  '/admin?part=code',
  '/admin?part=messages',
  '/admin?part=jobs',
  '/admin?part=announcements',
  '/admin?part=overview',
  '/admin?part=backups',
  '/admin?part=server',
]

/** What these pages say where the address names nothing that one may see. */
export const pagesOfNothing = [
  '/cloudProject',
  '/compare',
  '/projectFlow',
  '/report',
  '/shareFile',
  '/firstPassword',
  '/merchandiseDetail',
  '/demandDetail',
  '/round?chat=nothing',
  '/opinion?chat=nothing',
  '/caseDetail',
  '/serviceProviderDetail',
]

/** By the list that leads to it and the link there: what belongs to one project, folder or network of the demo member. */
export const samplePages = [
  { list: '/projectHome', link: '/projectDetail?id=' },
  { list: '/projectHome', link: '/projectDetail?id=', as: '/projectFile?part=data&id=' },
  { list: '/projectHome', link: '/projectDetail?id=', as: '/projectFile?part=models&id=' },
  { list: '/cloudHome', link: '/cloudFile?id=' },
  { list: '/cloudHome', link: '/cloudFile?id=', as: '/cloudPrepare?folder=' },
  { list: '/dripe', link: '/dripe?id=' },
  { list: '/dripe', link: '/dripe?id=', as: '/yamlCode?id=' },
]
