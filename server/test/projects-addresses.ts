/** Addresses of a project's bytes as they were given out in better times: what they open now is asked of the rights at that moment. */
import { holderClaims } from '../src/features/accounts/access.ts'
import { thumbnailUrl } from '../src/features/files/links.ts'
import { runBytesUrl } from '../src/features/flow/runs/values.ts'
import { pictureUrl, resultUrl } from '../src/features/runs/links.ts'
import type { Actor, Place, Stage } from './projects-stage.ts'

type AddressRow = {
  name: string
  isOfRun?: true
  request: (stage: Stage, actor: Actor, at: Place) => Promise<Response>
}

export const addresses: AddressRow[] = [
  {
    name: 'the address of the archive',
    request: async (stage, actor, { project: id }) => {
      const claims = { kind: 'project', id, data: 'lists', ...holderClaims(await holderOf(stage, actor)) }
      return get(stage, `/AI/api/projects/zip?${stage.server.ctx.links.sign(claims, 60_000)}`)
    },
  },
  {
    name: 'the address of trained weights',
    isOfRun: true,
    request: async (stage, actor, { trained: id }) =>
      get(stage, resultUrl(stage.server.ctx, await holderOf(stage, actor), { id, kind: 'weights' })),
  },
  {
    name: 'the address of the values of a flow run',
    isOfRun: true,
    request: async (stage, actor, { flowRun: id, sha256 }) =>
      get(stage, runBytesUrl(stage.server.ctx, await holderOf(stage, actor), { id, sha256 })),
  },
  {
    name: 'the address of weights that learned flow',
    isOfRun: true,
    request: async (stage, actor, { flowTraining: id }) =>
      get(stage, resultUrl(stage.server.ctx, await holderOf(stage, actor), { id, kind: 'weights' })),
  },
  {
    name: 'the address of a result’s image',
    isOfRun: true,
    request: async (stage, actor, { tested: id, sha256 }) =>
      get(stage, pictureUrl(stage.server.ctx, await holderOf(stage, actor), { id, sha256 })),
  },
  {
    name: 'the address of an image of a result',
    isOfRun: true,
    request: async (stage, actor, { tested: id, sha256 }) =>
      get(stage, thumbnailUrl(stage.server.ctx, await holderOf(stage, actor), sha256, { as: 'run', id })),
  },
  {
    name: 'the address of an image of the data',
    request: async (stage, actor, { data: id, sha256 }) =>
      get(stage, thumbnailUrl(stage.server.ctx, await holderOf(stage, actor), sha256, { as: 'dataset', id })),
  },
]

const get = ({ server }: Stage, url: string): Promise<Response> => fetch(server.url + url)

/** Those who are not signed in come with an address that has no session. */
async function holderOf({ server, sessionOf }: Stage, actor: Actor) {
  const userId = sessionOf(actor)?.userId ?? ''
  const { rows } = await server.ctx.pool.query<{ id: string }>(
    'select id from sessions where user_id = $1 and ended_at is null',
    [userId],
  )
  const user = { id: userId, role: 0, vipLevel: 1, vipSuper: 0, nickName: '', photo: '' }
  return { user, sessionId: rows[0]?.id ?? '' }
}
