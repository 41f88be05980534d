import type { labelAgreementCalls } from '@neuroloom/contract/labelling/agreed'
import type { exchangeCalls } from '@neuroloom/contract/labelling/exchange'
import type { labellingCalls } from '@neuroloom/contract/labelling/labelling'
import type { labelPeopleCalls } from '@neuroloom/contract/labelling/people'
import type { labelProposalCalls } from '@neuroloom/contract/labelling/proposals'
import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { adjudicate } from './adjudicate.ts'
import { agreement } from './agreement.ts'
import * as comments from './comments.ts'
import * as exchanges from './exchange/exchanges.ts'
import { items } from './items.ts'
import { open } from './open.ts'
import { chooseHelper, helpers } from './proposals/helpers.ts'
import { judge } from './proposals/judge.ts'
import { train } from './proposals/learn.ts'
import { nextItem } from './proposals/next.ts'
import { proposal, propose } from './proposals/propose.ts'
import { rounds } from './proposals/rounds.ts'
import * as readers from './readers.ts'
import * as readings from './readings.ts'
import { save } from './save.ts'
import * as sets from './sets.ts'

export const rows: Rows<
  | keyof typeof labellingCalls
  | keyof typeof exchangeCalls
  | keyof typeof labelPeopleCalls
  | keyof typeof labelAgreementCalls
  | keyof typeof labelProposalCalls
> = {
  'labelling/create': { access: signedIn, run: sets.create },
  'labelling/change': { access: signedIn, run: sets.change },
  'labelling/remove': { access: signedIn, run: sets.remove },
  'labelling/list': { access: signedIn, run: sets.list },
  'labelling/detail': { access: signedIn, run: sets.detail },
  'labelling/gather': { access: signedIn, run: sets.gather },
  'labelling/items': { access: signedIn, run: items },
  'labelling/open': { access: signedIn, run: open },
  'labelling/save': { access: signedIn, run: save },
  'labelling/steps': { access: signedIn, run: readings.steps },
  'labelling/minutes': { access: signedIn, run: readings.minutes },
  'labelling/asOf': { access: signedIn, run: readings.asOf },
  'labelling/setState': { access: signedIn, run: readings.setState },
  'labelling/useAsData': { access: signedIn, run: sets.useAsData },
  'labelling/readings': { access: signedIn, run: readings.readings },
  'labelling/exportPlan': { access: signedIn, run: exchanges.planExport },
  'labelling/export': { access: signedIn, run: exchanges.exportNow },
  'labelling/importPlan': { access: signedIn, run: exchanges.planImport },
  'labelling/import': { access: signedIn, run: exchanges.importNow },
  'labelling/exchanges': { access: signedIn, run: exchanges.list },
  'labelling/cancelExchange': { access: signedIn, run: exchanges.cancel },
  'labelling/adjudicate': { access: signedIn, run: adjudicate },
  'labelling/agreement': { access: signedIn, run: agreement },
  'labelling/helpers': { access: signedIn, run: helpers },
  'labelling/chooseHelper': { access: signedIn, run: chooseHelper },
  'labelling/propose': { access: signedIn, run: propose },
  'labelling/proposal': { access: signedIn, run: proposal },
  'labelling/judge': { access: signedIn, run: judge },
  'labelling/nextItem': { access: signedIn, run: nextItem },
  'labelling/rounds': { access: signedIn, run: rounds },
  'labelling/train': { access: signedIn, run: train },
  'labelling/readers': { access: signedIn, run: readers.list },
  'labelling/addReader': { access: signedIn, run: readers.add },
  'labelling/changeReader': { access: signedIn, run: readers.change },
  'labelling/removeReader': { access: signedIn, run: readers.remove },
  'labelling/leave': { access: signedIn, run: readers.leave },
  'labelling/comments': { access: signedIn, run: comments.list },
  'labelling/comment': { access: signedIn, run: comments.add },
  'labelling/resolveComment': { access: signedIn, run: comments.resolve },
  'labelling/removeComment': { access: signedIn, run: comments.remove },
}
