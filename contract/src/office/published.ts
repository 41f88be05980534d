/** What every member may look at, as administrators see it: public folders of data, and public projects with their networks. */
import * as z from 'zod'
import { published as limits } from '../limits.ts'
import { route } from '../route.ts'
import { projectTaskSchema } from '../task-schema.ts'

const id = z.string().min(1).max(40)
const question = {
  search: z.string().trim().max(200).default(''),
  page: z.int().min(1).max(100_000).default(1),
}
/** Told to the owner. */
const withdrawal = z.object({ id, reason: z.string().trim().min(1).max(limits.reasonLength) })
const published = {
  id: z.string(),
  name: z.string(),
  owner: z.object({ nickName: z.string(), account: z.string() }),
  publicAt: z.iso.datetime(),
}
const counted = { total: z.int(), pageSize: z.int() }

const publicFolderSchema = z.object({
  ...published,
  fileCount: z.int(),
  sizeBytes: z.int(),
  /** Its owner published it although files name their patient. */
  withPatients: z.boolean(),
})
export type PublicFolder = z.infer<typeof publicFolderSchema>
const publicProjectSchema = z.object({ ...published, task: projectTaskSchema })
export type PublicProject = z.infer<typeof publicProjectSchema>

export const publicFolderCalls = {
  'office/publicFolders': route({
    summary: 'One page of public folders, the latest first (administrators)',
    request: z.object(question),
    response: z.object({ folders: z.array(publicFolderSchema).max(limits.pageSize), ...counted }),
    errors: [],
  }),
  'office/withdrawFolder': route({
    summary: "Make anyone's public folder private again, with a reason for its owner (administrators)",
    request: withdrawal,
    response: z.object({}),
    errors: ['missing'],
  }),
}

export const publicProjectCalls = {
  'office/publicProjects': route({
    summary: 'One page of public projects, the latest first (administrators)',
    request: z.object(question),
    response: z.object({ projects: z.array(publicProjectSchema).max(limits.pageSize), ...counted }),
    errors: [],
  }),
  'office/withdrawProject': route({
    summary: "Make anyone's public project private again, with a reason for its owner (administrators)",
    request: withdrawal,
    response: z.object({}),
    errors: ['project_missing'],
  }),
}
