import { Readable } from 'node:stream'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { type Language, languages } from '@neuroloom/contract/language'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../http/access.ts'
import { fileName, sendStream } from '../../http/bytes.ts'
import { type ArchivedFile, type ArchivedFolder, archiveOf, jsonFile } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { linesOf } from '../../infra/texts.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { sendWhile } from '../files/service.ts'
import { requireProject, type SeenProject } from './access.ts'
import type { ArchiveOptions } from './parts.ts'
import { statementsOf } from './statements.ts'

const ARCHIVE_PATH = '/AI/api/projects/zip'

export async function archive(
  ctx: Context,
  { id, data }: Parsed<'projects/archive'>,
  caller: Caller,
): Promise<Answer<'projects/archive'>> {
  const project = await requireProject(ctx.db, caller.user, id, 'view')
  const claims = {
    kind: 'project',
    id,
    data: data ? 'all' : 'lists',
    language: caller.language,
    ...holderClaims(caller),
  }
  return { url: `${ARCHIVE_PATH}?${ctx.links.sign(claims, limits.linkMs)}`, name: nameOf(project) }
}

export function addArchiveRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(ARCHIVE_PATH, options, async (request, reply) => {
    const { id, userId, data, language } = await verifyLink(ctx, request.query, 'project')
    const find = () => requireProject(ctx.db, { id: userId }, id, 'view')
    // Looked at again now, and for as long as it is being sent.
    const project = await find()
    await sendWhile(ctx, reply, { ownerId: project.ownerId, check: find })
    const content = archiveOf(contentOf(ctx, project, { data: data === 'all', userId, language }))
    return sendStream(reply, { name: nameOf(project), contentType: 'application/zip', content })
  })
}

/** With the mark and the line ends that the oldest editors ask for. */
const readme = (language: Language): string =>
  `\uFEFF${linesOf('readme', language, 'project').join('\r\n')}\r\n`

const nameOf = ({ name }: SeenProject): string => `${fileName(name)}.zip`

async function* contentOf(
  ctx: Context,
  project: SeenProject,
  { language, ...options }: ArchiveOptions & { language: string | undefined },
): AsyncIterable<ArchivedFile | ArchivedFolder> {
  const spoken = languages.find((one) => one === language) ?? 'en'
  const parts = ctx.told('projectPart').flatMap((part) => part.archive?.(ctx, project, options) ?? [])
  const { id, name, description, task, displays, createdAt, modifiedAt } = project
  const facts = await Promise.all(parts.map((part) => part.facts()))
  const statements = await statementsOf(ctx.db, id)
  const about = { id, name, description, task, displays, statements }
  const own = { ...about, createdAt, modifiedAt, archivedAt: ctx.now() }
  yield { path: 'README.txt', isText: true, read: () => Readable.from([readme(spoken)]) }
  yield jsonFile('project.json', Object.assign(own, ...facts))
  for (const part of parts) yield* part.files()
}
