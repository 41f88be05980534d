import type { Task } from '@neuroloom/contract/task'
import { drawCell } from '../src/demo/pictures.ts'
import { encodePng } from '../src/demo/png.ts'
import { look } from '../src/features/datasets/jobs.ts'
import type { TestServer } from './harness.ts'
import { type TestFile, upload } from './uploads.ts'
import { makeWorker } from './worker.ts'

export const pictures: TestFile[] = [1, 2, 3, 4, 5, 6].map((seed) => ({
  path: `set/img${seed}.png`,
  bytes: encodePng(drawCell(seed % 2 ? 'round' : 'elongated', seed)),
}))

export const cells = (...words: string[]): string =>
  `<row>${words.map((word) => `<c t="inlineStr"><is><t>${word}</t></is></c>`).join('')}</row>`
export const sheetRows = [1, 2, 3, 4, 5, 6]
  .map((n) => cells(`img${n}.png`, n % 2 ? 'round' : 'long'))
  .join('')

/** A member's data set of the pictures and these tables, looked at. */
export const makeLabelled = (server: TestServer, ...tables: TestFile[]) =>
  makeSet(server, [...pictures, ...tables])

/** The same of any files. */
export async function makeSet(server: TestServer, files: TestFile[], task: Task = 'classification') {
  const session = await server.signUp({ vipSuper: 1 })
  const folderId = (await upload(server, session, { files })) ?? ''
  const name = `project ${Math.random()}`
  const project = await server.call('projects/create', { name, task }, session)
  const asked = { projectId: project.data.id, folderId, use: 'train' as const }
  const { id } = (await server.call('datasets/recognise', asked, session)).data
  const seen = async () => {
    await look(makeWorker(server), id)
    const dataset = (await server.call('datasets/detail', { id }, session)).data
    const { problems } = (await server.call('datasets/problems', { id }, session)).data
    return { dataset, problems: problems.map(({ path, reason }) => [path, reason]) }
  }
  return { session, id, seen, ...(await seen()) }
}
