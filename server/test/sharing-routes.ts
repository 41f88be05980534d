/** Addresses of bytes as they were given out in better times: what they open now is asked of the rights at that moment. */
import { SINGLE_UPLOAD_PATH } from '@neuroloom/contract/uploads'
import { holderClaims } from '../src/features/accounts/access.ts'
import {
  contentUrl,
  linkedThumbnailUrl,
  linkedUrl,
  linkedZipUrl,
  thumbnailUrl,
} from '../src/features/files/links.ts'
import { shownLinkedUrl, shownUrl } from '../src/features/files/view/content.ts'
import { newId } from '../src/infra/ids.ts'
import { headersOf } from './harness.ts'
import type { Actor, Cloud, Stage } from './sharing-cloud.ts'
import { tusCreate } from './uploads.ts'

type RouteRow = {
  name: string
  allowed: 'viewers' | 'editors' | 'link'
  request: (stage: Stage, actor: Actor, at: Cloud) => Promise<Response>
}

export const routes: RouteRow[] = [
  {
    name: 'the address of a file',
    allowed: 'viewers',
    request: async (stage, actor, { file: id, sha256 }) =>
      get(stage, contentUrl(stage.server.ctx, await holderOf(stage, actor), { id, sha256, mode: 'show' })),
  },
  {
    name: 'the address of a zip',
    allowed: 'viewers',
    request: async (stage, actor, { top }) => {
      const holder = await holderOf(stage, actor)
      const id = newId()
      if (stage.sessionOf(actor)) {
        await stage.server.ctx.pool.query(
          'insert into zips (id, user_id, entry_ids, name, created_at) values ($1, $2, $3, $4, now())',
          [id, holder.user.id, [top], 'all.zip'],
        )
      }
      const query = stage.server.ctx.links.sign({ kind: 'zip', id, ...holderClaims(holder) }, 60_000)
      return get(stage, `/AI/api/files/zip?${query}`)
    },
  },
  {
    name: 'the address of a small image',
    allowed: 'viewers',
    request: async (stage, actor, { file, sha256 }) =>
      get(
        stage,
        thumbnailUrl(stage.server.ctx, await holderOf(stage, actor), sha256, { as: 'file', id: file }),
      ),
  },
  {
    name: 'the address of what shows a file',
    allowed: 'viewers',
    request: async (stage, actor, { file: id, sha256 }) =>
      get(stage, shownUrl(stage.server.ctx, await holderOf(stage, actor), { id, sha256, made: null })),
  },
  {
    name: 'the address of a file behind a link',
    allowed: 'link',
    request: async (stage, actor, at) =>
      get(
        stage,
        linkedUrl(stage.server.ctx, linkOf(actor, at), { id: at.file, sha256: at.sha256, mode: 'show' }),
      ),
  },
  {
    name: 'the address of what shows a file behind a link',
    allowed: 'link',
    request: async (stage, actor, at) =>
      get(
        stage,
        shownLinkedUrl(stage.server.ctx, linkOf(actor, at), { id: at.file, sha256: at.sha256, made: null }),
      ),
  },
  {
    name: 'the address of a zip behind a link',
    allowed: 'link',
    request: async (stage, actor, at) =>
      get(stage, linkedZipUrl(stage.server.ctx, linkOf(actor, at), at.inner)),
  },
  {
    name: 'the address of a small image behind a link',
    allowed: 'link',
    request: async (stage, actor, at) =>
      get(stage, linkedThumbnailUrl(stage.server.ctx, linkOf(actor, at), at.sha256, at.file)),
  },
  {
    name: 'bytes of an upload that was announced before',
    allowed: 'editors',
    request: ({ server, sessionOf }, actor, { ownUpload }) =>
      tusCreate(server, sessionOf(actor), { upload: ownUpload, bytes: Buffer.from('x') }),
  },
  {
    name: 'a file in one request',
    allowed: 'editors',
    request: ({ server, sessionOf }, actor, { inner }) => {
      const form = new FormData()
      form.set('parentId', inner)
      form.set('file', new Blob(['x']), 'new.bin')
      const headers = headersOf(sessionOf(actor))
      return fetch(`${server.url}/AI/api/${SINGLE_UPLOAD_PATH}`, { method: 'POST', headers, body: form })
    },
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

/** All but the visitor have a link to something else. */
const linkOf = (actor: Actor, { linkId, linkPass }: Cloud): string =>
  actor === 'visitor' ? linkId : (linkPass.split('.')[0] ?? '')
