/** A member whose tiny network learns on known flows. */
import type { Run } from '@neuroloom/contract/runs'
import { flowSteps } from './flow-runs.ts'
import { flowText, trainAsked } from './flow-training.ts'
import type { TestServer } from './harness.ts'

/** With a worker at hand; `unbroken` is a training that nobody disturbed. */
export async function learnFlow(server: TestServer) {
  const steps = flowSteps(server)
  const me = await server.signUp({ vipLevel: 4, vipSuper: 1 })
  const projectId = await steps.project(me)
  const network = (await server.call('networks/create', { name: 'Tiny', text: flowText() }, me)).data.id
  const train = async (epochs: number): Promise<Run> => {
    const asked = { ...trainAsked, network, epochs }
    const { data, code, message } = await server.call('flow/train', { projectId, asked }, me)
    if (code !== 10200) throw new Error(`${message} ${JSON.stringify(data)}`)
    return data
  }
  const unbroken = await steps.ended(me, (await train(3)).id)
  return { steps, me, projectId, network, train, unbroken }
}
