/** Who may do what with somebody's data: one table, everybody times every call. A call that is not in it fails here. */
import { calls, type Path } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCells, type Seen } from './every-cell.ts'
import { makeServer, type TestServer } from './harness.ts'
import { type Actor, actors, type Cloud, makeStage, type Stage } from './sharing-cloud.ts'
import { routes } from './sharing-routes.ts'

let server: TestServer
let stage: Stage
let everyCell: ReturnType<typeof makeCells<Actor, Cloud>>
beforeAll(async () => {
  server = await makeServer()
  stage = await makeStage(server)
  everyCell = makeCells({ stage, actors, outsiders })
})
afterAll(() => server.close())

type Outcome = string
type Rule = Record<Actor, Outcome>

const signedOut = { visitor: 'not_signed_in', anonymous: 'not_signed_in' }
const everybody = (outcome: Outcome) => ({
  owner: outcome,
  viewer: outcome,
  editor: outcome,
  groupViewer: outcome,
  groupEditor: outcome,
  exShared: outcome,
  exMember: outcome,
  stranger: outcome,
  administrator: outcome,
  publicReader: outcome,
})

/** What is one's own, or touches nobody's. */
const members: Rule = { ...everybody('ok'), ...signedOut }
/** What only its owner knows of. */
const ownerElse = (outcome: Outcome): Rule => ({ ...everybody(outcome), owner: 'ok', ...signedOut })
const hidden = ownerElse('missing')
/** What others see and only the owner may do. */
const owner: Rule = {
  ...hidden,
  viewer: 'not_allowed',
  editor: 'not_allowed',
  groupViewer: 'not_allowed',
  groupEditor: 'not_allowed',
  publicReader: 'not_allowed',
}
const editors: Rule = { ...owner, editor: 'ok', groupEditor: 'ok' }
const viewers: Rule = { ...editors, viewer: 'ok', groupViewer: 'ok', publicReader: 'ok' }
const inGroup: Rule = { ...ownerElse('group_missing'), groupViewer: 'ok', groupEditor: 'ok' }
const groupOwner: Rule = { ...inGroup, groupViewer: 'not_allowed', groupEditor: 'not_allowed' }
/** Open to everybody; only the visitor has a link to the data. */
const linkElse = (outcome: Outcome): Rule => ({ ...everybody(outcome), visitor: 'ok', anonymous: outcome })

type Row = {
  call: string
  what?: string
  body: (at: Cloud) => object
  rule: Rule
  /** What outsiders may do all the same changes something. */
  isOpen?: true
}

const matrix: Row[] = [
  { call: 'files/list', body: ({ inner }) => ({ folderId: inner }), rule: viewers },
  {
    call: 'files/list',
    what: 'all below',
    body: ({ top }) => ({ folderId: top, below: true }),
    rule: viewers,
  },
  { call: 'files/list', what: 'own ones', body: () => ({ folderId: null }), rule: members },
  { call: 'search/all', body: ({ mark }) => ({ text: mark }), rule: members },
  { call: 'files/properties', body: ({ file }) => ({ id: file }), rule: viewers },
  { call: 'files/seriesFiles', body: ({ file }) => ({ id: file }), rule: viewers },
  { call: 'files/open', body: ({ file }) => ({ id: file }), rule: viewers },
  {
    call: 'files/open',
    what: 'of a removed one',
    body: ({ gone }) => ({ id: gone }),
    rule: everyoneMissing(),
  },
  { call: 'files/download', body: ({ file }) => ({ ids: [file] }), rule: viewers },
  {
    call: 'files/download',
    what: 'as a zip',
    body: ({ top, mine }) => ({ ids: [top, mine] }),
    rule: viewers,
  },
  { call: 'files/createFolder', body: ({ inner }) => ({ parentId: inner, name: 'new' }), rule: editors },
  { call: 'files/rename', body: ({ file }) => ({ id: file, name: 'new.zip' }), rule: editors },
  {
    call: 'files/rename',
    what: 'the top',
    body: ({ top }) => ({ id: top, name: `new ${top}` }),
    rule: editors,
  },
  { call: 'files/move', body: ({ file, sub }) => transfer([file], sub), rule: editors },
  { call: 'files/move', what: 'the top', body: ({ top }) => transfer([top], null), rule: owner },
  {
    call: 'files/move',
    what: 'out of it',
    body: ({ file, beside }) => transfer([file], beside),
    rule: hidden,
  },
  {
    call: 'files/move',
    what: 'own into it',
    body: ({ mine, inner }) => transfer([mine], inner),
    rule: owner,
  },
  { call: 'files/copy', body: ({ file }) => transfer([file], null), rule: viewers },
  { call: 'files/copy', what: 'into it', body: ({ mine, inner }) => transfer([mine], inner), rule: editors },
  { call: 'files/remove', body: ({ file }) => ({ ids: [file] }), rule: editors },
  { call: 'files/remove', what: 'the top', body: ({ top }) => ({ ids: [top] }), rule: owner },
  {
    call: 'files/remove',
    what: 'with own',
    body: ({ mine, file }) => ({ ids: [mine, file] }),
    rule: editors,
  },
  { call: 'files/restore', body: ({ gone }) => ({ ids: [gone] }), rule: hidden },
  { call: 'files/purge', body: ({ gone }) => ({ ids: [gone] }), rule: hidden },
  { call: 'files/recycled', body: () => ({}), rule: members },
  { call: 'files/public', body: () => ({}), rule: members },
  {
    call: 'files/publish',
    body: ({ top }) => ({ id: top, isPublic: true }),
    rule: { ...ownerElse('not_allowed'), administrator: 'missing' },
  },
  { call: 'files/records', body: () => ({}), rule: members },
  { call: 'files/records', what: 'of it', body: ({ inner }) => ({ entryId: inner }), rule: viewers },
  { call: 'files/exportRecords', body: ({ inner }) => ({ entryId: inner }), rule: viewers },

  { call: 'files/prepare', body: ({ inner }) => announced(inner), rule: editors },
  { call: 'files/unfinished', body: () => ({}), rule: members },
  { call: 'files/received', body: ({ upload }) => ({ upload }), rule: ownerElse('upload_gone') },
  // Others' are passed over, not refused.
  { call: 'files/unfinishedFiles', body: ({ upload }) => ({ batch: upload }), rule: members },
  { call: 'files/cancel', body: ({ upload }) => ({ uploads: [upload] }), rule: members },
  { call: 'files/cancelBatch', body: ({ upload }) => ({ batch: upload }), rule: members },
  { call: 'files/archiveNames', body: ({ file }) => ({ id: file }), rule: editors },
  { call: 'files/unpack', body: ({ file }) => ({ id: file }), rule: editors },
  { call: 'files/unpacks', body: () => ({}), rule: members },
  { call: 'files/stopUnpack', body: ({ file }) => ({ id: file }), rule: members },
  { call: 'files/dismissUnpack', body: ({ file }) => ({ ids: [file] }), rule: members },
  { call: 'files/deidentification', body: ({ file }) => ({ id: file }), rule: owner },
  { call: 'files/deidentificationKey', body: () => ({}), rule: members },

  { call: 'files/view', body: ({ file }) => ({ id: file }), rule: viewers },
  { call: 'files/overlays', body: ({ file }) => ({ id: file }), rule: viewers },
  { call: 'files/overlay', body: ({ file }) => ({ id: file, maskId: file }), rule: viewers },
  {
    call: 'files/overlay',
    what: 'of a removed one',
    body: ({ file, gone }) => ({ id: file, maskId: gone }),
    rule: { ...everybody('missing'), ...signedOut },
  },
  { call: 'files/convert', body: ({ file }) => ({ ids: [file], format: 'png' }), rule: viewers },
  { call: 'files/conversions', body: () => ({}), rule: members },
  { call: 'files/retryConversion', body: ({ failed }) => ({ id: failed }), rule: hidden },
  { call: 'files/cancelConversion', body: ({ waiting }) => ({ id: waiting }), rule: hidden },

  { call: 'files/seekTexts', body: ({ file }) => ({ ids: [file] }), rule: viewers },
  { call: 'files/textScans', body: () => ({}), rule: members },
  { call: 'files/textPictures', body: ({ texts }) => ({ id: texts }), rule: hidden },
  {
    call: 'files/confirmTexts',
    body: ({ texts }) => ({ id: texts, position: 0, regions: [], isConfirmed: true }),
    rule: hidden,
  },
  { call: 'files/confirmAllTexts', body: ({ texts }) => ({ id: texts }), rule: hidden },
  { call: 'files/blackTexts', body: ({ confirmedTexts }) => ({ id: confirmedTexts }), rule: hidden },
  { call: 'files/retryTexts', body: ({ texts }) => ({ id: texts }), rule: hidden },
  { call: 'files/cancelTexts', body: ({ waitingTexts }) => ({ id: waitingTexts }), rule: hidden },
  { call: 'files/forgetTexts', body: ({ texts }) => ({ id: texts }), rule: hidden },

  {
    call: 'files/share',
    body: ({ top, account }) => ({ id: top, account, permission: 'view' }),
    rule: owner,
  },
  { call: 'files/changeShare', body: ({ shareId }) => ({ shareId, permission: 'edit' }), rule: hidden },
  { call: 'files/unshare', body: ({ shareId }) => ({ shareIds: [shareId] }), rule: hidden },
  {
    call: 'files/unshare',
    what: 'of a group',
    body: ({ groupShareId }) => ({ shareIds: [groupShareId] }),
    rule: hidden,
  },
  {
    call: 'files/leaveShare',
    body: ({ shareId }) => ({ shareId }),
    rule: { ...everybody('missing'), viewer: 'ok', editor: 'ok', ...signedOut },
  },
  { call: 'files/shares', body: ({ top }) => ({ id: top }), rule: owner },
  { call: 'files/sharedWithMe', body: () => ({}), rule: members },
  { call: 'files/createLink', body: ({ top }) => ({ id: top, days: 1 }), rule: owner },
  { call: 'files/revokeLink', body: ({ linkId }) => ({ linkId }), rule: hidden },
  { call: 'files/visitLink', body: ({ linkToken }) => ({ token: linkToken }), rule: linkElse('link_gone') },
  {
    call: 'files/listLinked',
    body: ({ linkPass, inner }) => ({ pass: linkPass, folderId: inner }),
    rule: linkElse('missing'),
  },
  {
    call: 'files/listLinked',
    what: 'beside it',
    body: ({ linkPass, mine }) => ({ pass: linkPass, folderId: mine }),
    rule: { ...linkElse('missing'), visitor: 'missing' },
  },
  {
    call: 'files/openLinked',
    body: ({ linkPass, file }) => ({ pass: linkPass, id: file }),
    rule: linkElse('missing'),
  },
  {
    call: 'files/viewLinked',
    body: ({ linkPass, file }) => ({ pass: linkPass, id: file }),
    rule: linkElse('missing'),
  },
  {
    call: 'files/overlaysLinked',
    body: ({ linkPass, file }) => ({ pass: linkPass, id: file }),
    rule: linkElse('missing'),
  },
  {
    call: 'files/overlayLinked',
    body: ({ linkPass, file }) => ({ pass: linkPass, id: file, maskId: file }),
    rule: linkElse('missing'),
  },
  {
    call: 'files/overlayLinked',
    what: 'of a removed one',
    body: ({ linkPass, file, gone }) => ({ pass: linkPass, id: file, maskId: gone }),
    rule: { ...linkElse('missing'), visitor: 'missing' },
  },
  {
    call: 'files/viewLinked',
    what: 'of a removed one',
    body: ({ linkPass, gone }) => ({ pass: linkPass, id: gone }),
    rule: { ...linkElse('missing'), visitor: 'missing' },
  },
  {
    call: 'files/openLinked',
    what: 'of a removed one',
    body: ({ linkPass, gone }) => ({ pass: linkPass, id: gone }),
    rule: { ...linkElse('missing'), visitor: 'missing' },
  },

  { call: 'files/groups', body: () => ({}), rule: members },
  { call: 'files/createGroup', body: () => ({ name: 'new' }), rule: members },
  { call: 'files/editGroup', body: ({ groupId }) => ({ groupId, name: 'new', about: '' }), rule: groupOwner },
  // Whoever knows the number may look and, without a password, join.
  { call: 'files/findGroup', body: ({ groupNumber }) => ({ number: groupNumber }), rule: members },
  {
    call: 'files/joinGroup',
    body: ({ groupNumber }) => ({ number: groupNumber }),
    rule: { ...members, owner: 'group_joined', groupViewer: 'group_joined', groupEditor: 'group_joined' },
    isOpen: true,
  },
  { call: 'files/groupMembers', body: ({ groupId }) => ({ groupId }), rule: inGroup },
  {
    call: 'files/removeMember',
    body: ({ groupId, memberId }) => ({ groupId, memberId }),
    rule: groupOwner,
  },
  {
    call: 'files/exitGroup',
    body: ({ groupId }) => ({ groupId }),
    rule: { ...inGroup, owner: 'not_allowed' },
  },
  { call: 'files/dissolveGroup', body: ({ groupId }) => ({ groupId }), rule: groupOwner },
  { call: 'files/groupData', body: ({ groupId }) => ({ groupId }), rule: inGroup },
  {
    call: 'files/giveToGroup',
    what: 'of what its members do not see',
    body: ({ groupId, beside }) => given(groupId, beside),
    rule: { ...inGroup, groupViewer: 'missing', groupEditor: 'missing' },
  },
  {
    call: 'files/giveToGroup',
    what: 'of what it has already',
    body: ({ groupId, file }) => given(groupId, file),
    // The owner is told which folder of theirs it is.
    rule: { ...groupOwner, owner: 'share_above, but names were told' },
  },
  {
    call: 'files/giveToGroup',
    what: 'of what is one’s own',
    body: ({ groupId, mine }) => given(groupId, mine),
    rule: inGroup,
  },
  {
    call: 'files/takeFromGroup',
    body: ({ groupId, groupShareId }) => ({ groupId, shareId: groupShareId }),
    rule: groupOwner,
  },
]

/** Calls that act on nobody's data, tried where they belong. */
const elsewhere = ['files/recordDeidentification']
const rulesOfRoutes: Record<(typeof routes)[number]['allowed'], Rule> = {
  // An address is of a session; without one it is none.
  viewers: { ...viewers, visitor: 'link_expired', anonymous: 'link_expired' },
  editors,
  link: linkElse('missing'),
}

/** Whatever they are answered, it names nothing of the data and changes nothing. */
const outsiders: readonly Actor[] = ['exShared', 'exMember', 'stranger', 'administrator', 'anonymous']

describe('the sharing matrix', () => {
  it('has a row for every call about files', () => {
    const answered = Object.keys(calls).filter((path) => /^(files|search)\//.test(path))
    const known = new Set([...matrix.map(({ call }) => call), ...elsewhere])
    expect([...known].sort()).toEqual(answered.sort())
  })

  const named = matrix.map((row) => ({ ...row, name: row.what ? `${row.call}, ${row.what}` : row.call }))

  it.each(named)('$name', async ({ call, body, rule, isOpen }) => {
    const run = async (actor: Actor, at: Cloud): Promise<Seen> => {
      // The table's bodies are checked by the server as all bodies are.
      const reply = await server.call(call as Path, body(at) as never, stage.sessionOf(actor))
      const data: { error?: string } = reply.data
      return { outcome: data.error ?? String(reply.code), text: JSON.stringify(reply.data) }
    }
    expect(await everyCell(run, isOpen)).toEqual(rule)
  })

  it.each(routes)('$name', async ({ request, allowed }) => {
    const run = async (actor: Actor, at: Cloud) => {
      const response = await request(stage, actor, at)
      const text = await response.text()
      const refusal = /"error":"(\w+)"/.exec(text)?.[1]
      return { outcome: refusal ?? (response.ok ? '10200' : String(response.status)), text }
    }
    expect(await everyCell(run)).toEqual(rulesOfRoutes[allowed])
  })
})

const transfer = (ids: string[], targetId: string | null) => ({ ids, targetId, sameName: 'rename' })
const announced = (parentId: string) => ({
  parentId,
  sameName: 'rename',
  files: [{ path: 'new.bin', sizeBytes: 1 }],
})
const given = (groupId: string, id: string) => ({ groupId, ids: [id], permission: 'view' })

function everyoneMissing(): Rule {
  return { ...everybody('missing'), ...signedOut }
}
