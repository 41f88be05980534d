/** All that is done beside the server for networks: nothing a member wrote is worked out in the process that answers. */
import type { AnyWork } from '../../infra/aside/aside.ts'
import { beginWork } from './begin.ts'
import { chooseWork, planWork } from './choosing.ts'
import { flowPlanWork } from './flow-plan.ts'
import { layersWork } from './layers.ts'
import { lookWork } from './look-plan.ts'
import { programWork } from './program.ts'
import { countWork, drawWork } from './reading.ts'

export const works: readonly AnyWork[] = [
  countWork,
  drawWork,
  lookWork,
  layersWork,
  chooseWork,
  planWork,
  flowPlanWork,
  beginWork,
  programWork,
]
