/** Every call of the product by its path below `AI/api/`. */
import type * as z from 'zod'
import { accountCalls } from './accounts/accounts.ts'
import { memberImportCalls } from './accounts/member-import.ts'
import { memberCalls } from './accounts/members.ts'
import { partnerCalls } from './accounts/partners.ts'
import { secondFactorCalls } from './accounts/second-factor.ts'
import { signUpCalls } from './accounts/sign-up.ts'
import { burnedInCalls } from './burned-in.ts'
import { compareCalls } from './compare.ts'
import { conversionCalls } from './conversions.ts'
import { codeCalls, codeOfficeCalls } from './custom/code-calls.ts'
import { customOfficeCalls, customTaskCalls } from './custom/task-calls.ts'
import { datasetCalls } from './datasets.ts'
import { deidentificationCalls } from './deidentification.ts'
import { sampleCalls } from './demo/samples.ts'
import { exampleCalls } from './examples.ts'
import { cloudCalls, fileCalls } from './files.ts'
import { flowCalls } from './flow/calls.ts'
import { flowRunCalls } from './flow/run-calls.ts'
import { flowSharpenCalls } from './flow/sharpen-calls.ts'
import { groupCalls } from './groups.ts'
import { labelAgreementCalls } from './labelling/agreed.ts'
import { exchangeCalls } from './labelling/exchange.ts'
import { labellingCalls } from './labelling/labelling.ts'
import { labelPeopleCalls } from './labelling/people.ts'
import { labelProposalCalls } from './labelling/proposals.ts'
import { demandCalls } from './market/calls.ts'
import { marketOfficeCalls } from './market/office.ts'
import { providerCalls } from './market/provider.ts'
import { orderCalls, orderOfficeCalls } from './membership/orders.ts'
import { vipCalls, vipOfficeCalls } from './membership/vip.ts'
import { walletCalls, walletOfficeCalls } from './membership/wallet.ts'
import { networkCalls } from './networks.ts'
import { moduleCalls } from './office/modules.ts'
import { operationCalls } from './office/operations.ts'
import { publicFolderCalls, publicProjectCalls } from './office/published.ts'
import { planCalls } from './plans.ts'
import { predictionCalls } from './predictions.ts'
import { projectCalls } from './projects.ts'
import { overlayCalls } from './reading/overlays.ts'
import { runLookCalls } from './reading/run-looks.ts'
import { recipeCalls } from './recipes/recipes.ts'
import { reportCalls } from './reports.ts'
import { runCalls } from './runs.ts'
import { searchCalls } from './search.ts'
import { sharingCalls } from './sharing.ts'
import { shopCalls } from './shop/calls.ts'
import { sellerCalls, shopOfficeCalls } from './shop/seller.ts'
import { siteCalls } from './site.ts'
import { socialAttachmentCalls } from './social/attachments.ts'
import { socialChatCalls } from './social/chats.ts'
import { socialGroupCalls } from './social/groups.ts'
import { socialOpinionCalls } from './social/opinions.ts'
import { socialPeopleCalls } from './social/people.ts'
import { socialOfficeCalls, socialPostCalls } from './social/posts.ts'
import { socialRoundCalls } from './social/rounds.ts'
import { toolboxCalls } from './toolbox/calls.ts'
import { uploadCalls } from './uploads.ts'
import { viewCalls } from './viewing.ts'

export const calls = {
  ...accountCalls,
  ...secondFactorCalls,
  ...memberCalls,
  ...partnerCalls,
  ...memberImportCalls,
  ...planCalls,
  ...vipCalls,
  ...orderCalls,
  ...vipOfficeCalls,
  ...orderOfficeCalls,
  ...signUpCalls,
  ...fileCalls,
  ...cloudCalls,
  ...deidentificationCalls,
  ...uploadCalls,
  ...viewCalls,
  ...overlayCalls,
  ...conversionCalls,
  ...burnedInCalls,
  ...sharingCalls,
  ...groupCalls,
  ...recipeCalls,
  ...projectCalls,
  ...datasetCalls,
  ...networkCalls,
  ...runCalls,
  ...runLookCalls,
  ...flowCalls,
  ...flowRunCalls,
  ...flowSharpenCalls,
  ...labellingCalls,
  ...exchangeCalls,
  ...labelPeopleCalls,
  ...labelAgreementCalls,
  ...labelProposalCalls,
  ...predictionCalls,
  ...compareCalls,
  ...exampleCalls,
  ...reportCalls,
  ...toolboxCalls,
  ...searchCalls,
  ...shopCalls,
  ...sellerCalls,
  ...shopOfficeCalls,
  ...walletCalls,
  ...walletOfficeCalls,
  ...demandCalls,
  ...marketOfficeCalls,
  ...customTaskCalls,
  ...customOfficeCalls,
  ...providerCalls,
  ...codeCalls,
  ...codeOfficeCalls,
  ...socialPeopleCalls,
  ...socialChatCalls,
  ...socialAttachmentCalls,
  ...socialGroupCalls,
  ...socialPostCalls,
  ...socialOfficeCalls,
  ...socialRoundCalls,
  ...socialOpinionCalls,
  ...siteCalls,
  ...moduleCalls,
  ...operationCalls,
  ...publicFolderCalls,
  ...publicProjectCalls,
  ...sampleCalls,
}

export type Calls = typeof calls
export type Path = keyof Calls
/** What a caller sends (defaults may be left out). */
export type Body<P extends Path> = z.input<Calls[P]['request']>
/** What a handler gets (parsed). */
export type Parsed<P extends Path> = z.output<Calls[P]['request']>
export type Answer<P extends Path> = z.output<Calls[P]['response']>
