/** Real data sets, uploaded and looked at by the real engine. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '@neuroloom/contract/task'
import { look } from '../src/features/datasets/jobs.ts'
import type { Session, TestServer } from './harness.ts'
import { type TestFile, upload } from './uploads.ts'
import { makeWorker } from './worker.ts'

const data = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../shared/data')

/** Whether the set is there: tests of it are skipped otherwise. */
export const hasSet = (set: string): boolean => existsSync(join(data, set))

async function filesOf(set: string, wanted: (path: string) => boolean): Promise<TestFile[]> {
  const entries = await readdir(join(data, set), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(data, set).length + 1))
    .filter(wanted)
  return Promise.all(
    paths.map(async (path) => ({ path: `set/${path}`, bytes: await readFile(join(data, set, path)) })),
  )
}

/** What came of a real set, with the problems. */
export async function makeRealSet(
  { server, member }: { server: TestServer; member: Session },
  { task, set, wanted = () => true }: { task: Task; set: string; wanted?: (path: string) => boolean },
) {
  const { data: top } = await server.call(
    'files/createFolder',
    { parentId: null, name: `${task} ${set}` },
    member,
  )
  const folderId = await upload(server, member, { parentId: top.id, files: await filesOf(set, wanted) })
  const project = await server.call('projects/create', { name: `${task} ${set}`, task }, member)
  const request = { projectId: project.data.id, folderId: folderId ?? '' }
  const { data: begun } = await server.call('datasets/recognise', request, member)
  if (!begun.id) throw new Error(JSON.stringify([project, begun]))
  const worker = makeWorker(server)
  await look(worker, begun.id)
  worker.engine.close()
  const { data: dataset } = await server.call('datasets/detail', { id: begun.id }, member)
  const { problems } = (await server.call('datasets/problems', { id: begun.id }, member)).data
  return { dataset, problems }
}

/** Of forty patients eight, and all that lies beside their images. */
export const firstCases = (path: string): boolean =>
  !/hippocampus_/.test(path) || /hippocampus_0[0-3]/.test(path)
