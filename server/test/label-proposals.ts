/** A network learns a task from a folder, and proposes labels in a new set. */
import type { Body } from '@neuroloom/contract/calls'
import type { ProposedObject } from '@neuroloom/contract/labelling/proposals'
import type { Task } from '@neuroloom/contract/task'
import { expect } from 'vitest'
import { look } from '../src/features/datasets/jobs.ts'
import { harvest } from '../src/features/labelling/proposals/harvest.ts'
import type { Session, TestServer } from './harness.ts'
import { gatherNow } from './labels.ts'
import { hasEnded, startQuick, until } from './training.ts'
import { type TestFile, upload } from './uploads.ts'
import type { makeWorker } from './worker.ts'

export type Stage = { server: TestServer; worker: ReturnType<typeof makeWorker>; me: Session }

type Learned = { runId: string; classes: string[] }

export async function learn(
  { server, worker, me }: Stage,
  task: Task,
  files: TestFile[],
  body: Partial<Body<'runs/start'>>,
): Promise<Learned> {
  const folderId = (await upload(server, me, { files })) ?? ''
  const { data: project } = await server.call('projects/create', { name: `About ${task}`, task }, me)
  const { data: made } = await server.call('datasets/recognise', { projectId: project.id, folderId }, me)
  await look(worker, made.id)
  const { data: set } = await server.call('datasets/detail', { id: made.id }, me)
  const parts = set.parts.map(({ id }) => id)
  const asked = { projectId: project.id, datasetId: made.id, task, parts }
  const run = await startQuick(server, me, { set: asked, ...body })
  const done = await until(server, me, { id: run.id, is: hasEnded })
  expect(done.state).toBe('done')
  return { runId: done.id, classes: done.classes }
}

/** What is proposed on each image of a new set, by its name. */
export async function proposed(
  { server, worker, me }: Stage,
  { runId, classes }: Learned,
  { mark, files, of }: { mark: 'tags' | 'boxes' | 'pixels'; files: TestFile[]; of: readonly string[] },
): Promise<Map<string, readonly ProposedObject[]>> {
  const folderId = (await upload(server, me, { files })) ?? ''
  const colours = ['#000000', '#e69f00', '#56b4e9']
  const { data: set } = await server.call(
    'labelling/create',
    {
      ...{ name: mark, description: 'To be proposed on', marks: [mark], folderId },
      classes: ['Else', ...of].map((name, index) => ({
        ...{ id: name.toLowerCase(), name, colour: colours[index] ?? '' },
      })),
    },
    me,
  )
  await gatherNow(server, set.id)
  const { data: listed } = await server.call('labelling/items', { id: set.id }, me)
  const ids = new Set(of.map((name) => name.toLowerCase()))
  const own = classes.map((name) => (ids.has(name.toLowerCase()) ? name.toLowerCase() : null))
  const choice = { id: set.id, runId, classes: own, order: 'doubt' as const, every: null }
  const chosen = await server.call('labelling/chooseHelper', choice, me)
  expect(chosen.code, chosen.message).toBe(10200)
  const itemIds = listed.items.map(({ id }) => id)
  const asked = await server.call('labelling/propose', { id: set.id, itemIds }, me)
  expect(asked.code, asked.message).toBe(10200)
  expect((await until(server, me, { id: asked.data.runId, is: hasEnded })).state).toBe('done')
  await harvest(worker, asked.data.runId)
  const all = listed.items.map(async ({ id, name }) => {
    const { data } = await server.call('labelling/proposal', { itemId: id }, me)
    expect(data.proposal?.state, name).toBe('ready')
    return [name, data.proposal?.objects ?? []] as const
  })
  return new Map(await Promise.all(all))
}
