/** What `infra/aside/aside.ts` has done beside the server: each feature's works, one process as good as the other. */
import { works as labellingWorks } from './features/labelling/works.ts'
import { works as networkWorks } from './features/networks/works.ts'
import { answerWorks } from './infra/aside/aside.ts'

answerWorks([...networkWorks, ...labellingWorks])
