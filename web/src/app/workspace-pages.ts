/** The pages behind sign-in by their path: apart from the routes, whose file every visit pays for. */
const dripe = async () => (await import('../pages/dripe.tsx')).Dripe

const shop = () => import('../pages/shop/pages.ts')
const market = () => import('../pages/market/pages.ts')

export const workspacePages = {
  mangeHome: async () => (await import('../pages/manage-home.tsx')).ManageHome,
  projectHome: async () => (await import('../pages/project-home.tsx')).ProjectHome,
  projectDetail: async () => (await import('../pages/project-detail.tsx')).ProjectDetail,
  projectFlow: async () => (await import('../pages/project-flow.tsx')).ProjectFlow,
  projectRubbish: async () => (await import('../pages/project-rubbish.tsx')).ProjectRubbish,
  projectFile: async () => (await import('../pages/project-file.tsx')).ProjectFile,
  cloudHome: async () => (await import('../pages/cloud/cloud-home.tsx')).CloudHome,
  cloudFile: async () => (await import('../pages/cloud/cloud-file.tsx')).CloudFile,
  cloudPrepare: async () => (await import('../pages/cloud/cloud-prepare.tsx')).CloudPrepare,
  cloudTexts: async () => (await import('../pages/cloud/cloud-texts.tsx')).CloudTexts,
  shareFile: async () => (await import('../pages/share-file.tsx')).ShareFile,
  cloudProject: async () => (await import('../pages/cloud/cloud-project.tsx')).CloudProject,
  run: async () => (await import('../pages/run.tsx')).RunPage,
  try: async () => (await import('../pages/try.tsx')).TryPage,
  compare: async () => (await import('../pages/compare.tsx')).ComparePage,
  report: async () => (await import('../pages/report.tsx')).ReportPage,
  shopHome: async () => (await shop()).ShopHome,
  merchandiseDetail: async () => (await shop()).MerchandiseDetail,
  orderHome: async () => (await market()).OrderHome,
  demandDetail: async () => (await market()).DemandDetail,
  postDemand: async () => (await market()).PostDemand,
  caseDetail: async () => (await market()).CaseDetail,
  serviceProviderDetail: async () => (await market()).ServiceProviderDetail,
  toolboxHome: async () => (await import('../pages/toolbox/home.tsx')).ToolboxHome,
  socialHome: async () => (await import('../pages/social/social-home.tsx')).SocialHome,
  round: async () => (await import('../pages/social/round.tsx')).RoundPage,
  opinion: async () => (await import('../pages/social/opinion.tsx')).OpinionPage,
  dripe,
  yamlCode: dripe,
  labelling: async () => (await import('../pages/labelling.tsx')).Labelling,
  flow: async () => (await import('../pages/flow.tsx')).Flow,
  admin: async () => (await import('../pages/admin.tsx')).Admin,
  customTasks: async () => (await import('../pages/assigned-tasks.tsx')).AssignedTasks,
  userCenter: async () => (await import('../pages/user-center.tsx')).UserCenter,
}

export type OwnPath = keyof typeof workspacePages
