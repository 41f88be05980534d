import { request } from 'node:http'
import { CODE_UPLOAD_PATH } from '@neuroloom/contract/custom/code'
import type { CodeUpload } from '@neuroloom/contract/custom/code-calls'
import { code as limits } from '@neuroloom/contract/limits'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { type ZipEntry, zipOf } from '../../../../test/zip.ts'
import { codeOf } from '../../../http/fail.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { notices } from '../../../infra/notices.ts'
import { missingParts } from '../../../infra/sandbox/bubblewrap.ts'
import { codeRuns, codeUploads } from '../tables.ts'
import { inspect } from './inspect.ts'
import { endLost, run } from './run.ts'

let server: TestServer
let chief: Session
let who: Session
beforeAll(async () => {
  server = await makeServer()
  chief = await server.signUp({ role: 2 })
})
beforeEach(async () => {
  who = await server.signUp()
})
afterAll(() => server.close())

const file = (name: string, text = 'print(1)\n', changes: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  bytes: Buffer.from(text),
  ...changes,
})
const good = () => [file('segmentation/main.py')]

async function send(bytes: Buffer, { name = 'code.zip', type = 'application/zip', by = who } = {}) {
  const response = await fetch(`${server.url}/AI/api/${CODE_UPLOAD_PATH}?${new URLSearchParams({ name })}`, {
    method: 'POST',
    headers: { 'content-type': type, token: by.token, userId: by.userId },
    body: new Uint8Array(bytes),
  })
  return (await response.json()) as { code: number; message: string; data: CodeUpload }
}
async function upload(entries: ZipEntry[], by = who): Promise<CodeUpload> {
  const { code, message, data } = await send(zipOf(entries), { by })
  expect(code, message).toBe(SUCCESS_CODE)
  return data
}
/** As the worker leaves it. */
async function inspected(entries: ZipEntry[], by = who): Promise<CodeUpload> {
  const { id } = await upload(entries, by)
  await inspect(server.ctx, { uploadId: id })
  const { data } = await server.call('codeUpload/list', {}, by)
  const found = data.uploads.find((one) => one.id === id)
  if (!found) throw new Error('The upload is gone')
  return found
}
const approve = (id: string, by = chief) =>
  server.call('office/codeUpload', { id, decision: { is: 'approved' } }, by)
const reject = (id: string, by = chief) =>
  server.call('office/codeUpload', { id, decision: { is: 'rejected', reason: 'No readme.' } }, by)

describe('the top of an archive', () => {
  test('has one or several of the five folders', async () => {
    const { folders, files, state, isInspected } = await upload([
      file('4d_Flow-MRI/a.py'),
      { name: 'Object detection/', unixType: 0o040755 },
      file('Object detection/deep/er/b.txt'),
    ])
    expect({ folders, files, state, isInspected }).toEqual({
      ...{ folders: ['Object detection', '4d_Flow-MRI'], files: 2 },
      ...{ state: 'pending_review', isInspected: false },
    })
  })

  test.each([
    ['Segmentation/main.py', 'Segmentation'],
    ['segmentation2/main.py', 'segmentation2'],
    ['main.py', 'main.py'],
    ['segmentation', 'segmentation'],
    ['__MACOSX/segmentation/main.py', '__MACOSX'],
    ['.hidden/main.py', '.hidden'],
    ['../segmentation/main.py', '..'],
    ['/etc/passwd', 'etc'],
    ['C:\\Windows\\system32\\a.dll', 'C:'],
    ['code/segmentation/main.py', 'code'],
  ])('%s is refused by its name', async (name, told) => {
    const { code, message } = await send(zipOf([...good(), file(name)]))
    expect(code).toBe(codeOf('code_top'))
    expect(message).toContain(`“${told}”`)
    expect(await server.ctx.db.$count(codeUploads, eq(codeUploads.userId, who.userId))).toBe(0)
  })
})

describe('the intake', () => {
  test.each<[string, ZipEntry[], string[]]>([
    ['a symbolic link', [file('segmentation/x', '/etc/shadow', { unixType: 0o120777 })], ['symlink']],
    ['a device', [file('segmentation/x', '', { unixType: 0o020666 })], ['special']],
    ['a setuid program', [file('segmentation/x', 'a', { unixType: 0o104755 })], ['setuid']],
    ['a setgid program', [file('segmentation/x', 'a', { unixType: 0o102755 })], ['setgid']],
    ['an encrypted entry', [file('segmentation/x', 'a', { isEncrypted: true })], ['encrypted']],
    ['an unknown packing', [file('segmentation/x', 'a', { method: 14 })], ['damaged']],
    ['a path out of the folder', [file('segmentation/../../x')], ['parent_path']],
    ['an absolute path', [file('/segmentation/x')], ['absolute_path']],
    ['a path of Windows', [file('segmentation/..\\..\\x')], ['parent_path', 'bad_name']],
    ['a control character', [file('segmentation/x\u0007', '', { isUtf8: true })], ['bad_name']],
    ['a turned name', [file('segmentation/x\u202eyp.exe', '', { isUtf8: true })], ['bad_name']],
    ['the same name twice', [file('segmentation/main.py')], ['duplicate']],
    ['a twin in capitals', [file('segmentation/MAIN.py')], ['case_twin']],
    ['overlapping entries', [file('segmentation/x', 'a', { offsetOf: 0 })], ['overlaps']],
    ['a bomb', [file('segmentation/x', '', { bytes: Buffer.alloc(10 * 1024 * 1024) })], ['bomb']],
  ])('finds %s, and such an upload can only be rejected', async (_, more, findings) => {
    const found = await inspected([...good(), ...more])
    const wanted = findings.map((one) => (one === 'setgid' ? 'setuid' : one))
    expect(Object.keys(found.findings).sort()).toEqual(wanted.sort())
    const { id } = found
    expect((await approve(id)).code).toBe(codeOf('code_unsafe'))
    const path = (await server.call('codeUpload/entries', { id }, who)).data.entries.at(-1)?.path ?? ''
    if (!wanted.includes('duplicate'))
      expect((await server.call('office/codeFile', { id, path }, chief)).code).toBe(codeOf('code_unsafe'))
    expect((await reject(id)).data).toMatchObject({ state: 'rejected', reason: 'No readme.' })
  })

  test('reads what the files are, executes nothing, and names the lines of what to look at', async () => {
    const found = await inspected([
      file('segmentation/net.py', 'import numpy\nimport socket\n'),
      file('segmentation/shell.py', 'import subprocess\n'),
      file('segmentation/load.py', 'import pickle\neval("1")\n'),
      file('segmentation/inner.zip', '', { bytes: zipOf(good()) }),
      file('segmentation/disguised.txt', '', { bytes: zipOf(good()) }),
      file('segmentation/tool', '\x7fELF\x00\x00'),
      file('segmentation/.profile', 'a'),
      file('segmentation/lies.txt', 'abc', { crc32: 1 }),
    ])
    expect(found.findings).toEqual({
      ...{ network: 1, process: 1, dynamic: 1, nested_archive: 2, binary: 3, hidden: 1, damaged: 1 },
    })
    const { entries } = (await server.call('codeUpload/entries', { id: found.id }, who)).data
    expect(entries[0]).toEqual({
      ...{ path: 'segmentation/net.py', isFolder: false, sizeBytes: 27 },
      ...{ findings: ['network'], lines: [{ finding: 'network', line: 2 }] },
    })
    expect(await server.ctx.db.$count(codeRuns)).toBe(0)
  })

  test.each<[string, () => Buffer, Parameters<typeof codeOf>[0]]>([
    ['no zip', () => Buffer.from('#!/bin/sh\nrm -rf /\n'), 'code_not_zip'],
    ['half a zip', () => zipOf(good()).subarray(0, 60), 'code_not_zip'],
    ['an empty zip', () => zipOf([]), 'code_empty'],
    ['folders alone', () => zipOf([{ name: 'segmentation/', unixType: 0o040755 }]), 'code_empty'],
    [
      'too many entries',
      () => zipOf(Array.from({ length: limits.entries + 1 }, (_, at) => file(`segmentation/${at}.py`, ''))),
      'code_many',
    ],
    [
      'too much when unpacked',
      () => zipOf([...good(), file('segmentation/x', 'a', { saidBytes: limits.unpackedBytes })]),
      'code_large',
    ],
    ['a path beyond all bounds', () => zipOf([file(`segmentation/${'x'.repeat(500)}`)]), 'code_not_zip'],
  ])('%s is refused', async (_, make, name) => {
    expect((await send(make())).code).toBe(codeOf(name))
  })

  test('what is larger than may be is refused before it is read', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/AI/api/${CODE_UPLOAD_PATH}?name=code.zip`, {
        method: 'POST',
        headers: {
          'content-type': 'application/zip',
          'content-length': limits.zipBytes + 1,
          token: who.token,
          userId: who.userId,
        },
      })
      sent.once('error', reject)
      sent.once('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.flushHeaders()
    })
    expect(status).toBe(413)
  })

  test('another type, no name, and nobody signed in are refused', async () => {
    const zip = zipOf(good())
    expect((await send(zip, { name: '' })).code).toBe(codeOf('bad_request'))
    const stranger = { token: 'x'.repeat(20), userId: 'nobody' }
    expect((await send(zip, { by: stranger })).code).toBe(codeOf('not_signed_in'))
    expect((await send(zip, { type: 'text/plain' })).code).not.toBe(SUCCESS_CODE)
  })

  test('one member keeps so many uploads, however many are sent at once', async () => {
    const zip = zipOf(good())
    const replies = await Promise.all(Array.from({ length: limits.uploads + 5 }, () => send(zip)))
    const codes = replies.map(({ code }) => code)
    expect(codes.filter((code) => code === SUCCESS_CODE)).toHaveLength(limits.uploads)
    expect(codes.filter((code) => code === codeOf('code_uploads'))).toHaveLength(5)
  })
})

describe('the review', () => {
  test('approves what was inspected, once, and tells the member', async () => {
    const { id } = await upload(good())
    expect((await approve(id)).code).toBe(codeOf('code_uninspected'))
    await inspect(server.ctx, { uploadId: id })
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? approve(id) : reject(id))),
    )
    const codes = replies.map(({ code }) => code)
    expect(codes.filter((code) => code === SUCCESS_CODE)).toHaveLength(1)
    expect(codes.filter((code) => code === codeOf('code_decided'))).toHaveLength(99)
    const told = await server.ctx.db.$count(notices, eq(notices.userId, who.userId))
    expect(told).toBe(1)
    const events = await server.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.subject, `code:${id}`))
      .orderBy(asc(auditEvents.id))
    expect(events.map(({ action }) => action)).toEqual([
      'code.upload',
      expect.stringMatching(/^code\.(approved|rejected)$/),
    ])
  })

  test('shows the text of a file', async () => {
    const { id } = await inspected([
      file('segmentation/main.py', 'print("Ж 中")\n'),
      file('segmentation/b', '\0'),
    ])
    const read = (path: string) => server.call('office/codeFile', { id, path }, chief)
    expect((await read('segmentation/main.py')).data).toEqual({ text: 'print("Ж 中")\n', isWhole: true })
    expect((await read('segmentation/b')).data).toEqual({ text: null, isWhole: false })
    expect((await read('segmentation/none.py')).code).toBe(codeOf('code_missing'))
    expect((await read('../../etc/passwd')).code).toBe(codeOf('code_missing'))
  })

  test('nobody decides or runs what they uploaded themselves', async () => {
    const { id } = await inspected(good(), chief)
    expect((await approve(id)).code).toBe(codeOf('not_allowed'))
    expect((await reject(id)).code).toBe(codeOf('not_allowed'))
  })

  test('to anybody else an upload is not there', async () => {
    const { id } = await upload(good())
    const stranger = await server.signUp()
    expect((await server.call('codeUpload/entries', { id }, stranger)).code).toBe(codeOf('code_missing'))
    expect((await server.call('codeUpload/remove', { id }, stranger)).code).toBe(codeOf('code_missing'))
    for (const path of ['office/codeEntries', 'office/codeRuns'] as const)
      expect((await server.call(path, { id }, stranger)).code).toBe(codeOf('not_allowed'))
  })

  test('code that was not approved is never run, nor anything but its Python files', async () => {
    const lacks = missingParts().length > 0
    const start = (of: string, path: string) => server.call('office/codeRun', { id: of, path }, chief)
    const { id } = await inspected([...good(), file('segmentation/run.sh')])
    const names = lacks
      ? (['sandbox_missing', 'sandbox_missing', 'sandbox_missing'] as const)
      : (['code_unapproved', 'code_no_python', 'code_no_python'] as const)
    expect((await start(id, 'segmentation/main.py')).code).toBe(codeOf(names[0]))
    await approve(id)
    expect((await start(id, 'segmentation/run.sh')).code).toBe(codeOf(names[1]))
    expect((await start(id, '../segmentation/main.py')).code).toBe(codeOf(names[2]))
    const { data } = await server.call('office/codeSandbox', {}, chief)
    expect(data.missing).toEqual(missingParts())
  })

  test.skipIf(missingParts().length > 0)(
    'approved code is run by the worker, once, and shows what it did',
    async () => {
      const { id } = await inspected([
        file('segmentation/sub/main.py', 'import helper\nprint(helper.x)\nopen("/out/a", "w").write("12")\n'),
        file('segmentation/sub/helper.py', 'x = "seen"\n'),
        file('classification/other.py'),
      ])
      await approve(id)
      const start = () => server.call('office/codeRun', { id, path: 'segmentation/sub/main.py' }, chief)
      const replies = await Promise.all([start(), start(), start()])
      expect(replies.map(({ code }) => code).sort()).toEqual([
        SUCCESS_CODE,
        ...Array(2).fill(codeOf('code_runs')),
      ])
      const runId = replies.find(({ code }) => code === SUCCESS_CODE)?.data.id ?? ''
      await Promise.all([run(server.ctx, { runId }), run(server.ctx, { runId })])
      const { runs } = (await server.call('office/codeRuns', { id }, chief)).data
      expect(runs).toMatchObject([
        {
          ...{ state: 'ended', outcome: 'done', exitCode: 0, printed: 'seen\n' },
          output: [{ path: 'a', sizeBytes: 2 }],
        },
      ])
    },
  )

  test('a run that its worker left is ended, and the upload can be removed then', async () => {
    const { id } = await inspected(good())
    const left = { id: `run-of-${id}`, uploadId: id, path: 'segmentation/main.py', startedBy: chief.userId }
    const startedAt = new Date(server.ctx.now().getTime() - 60 * 60_000)
    await server.ctx.db.insert(codeRuns).values({ ...left, state: 'running', startedAt })
    expect((await server.call('codeUpload/remove', { id }, who)).code).toBe(codeOf('code_runs'))
    await endLost(server.ctx)
    expect((await server.call('office/codeRuns', { id }, chief)).data.runs).toMatchObject([
      { state: 'ended', outcome: 'failed', exitCode: null },
    ])
    expect((await server.call('codeUpload/remove', { id }, who)).code).toBe(SUCCESS_CODE)
    expect(await server.ctx.db.$count(codeRuns, eq(codeRuns.uploadId, id))).toBe(0)
  })
})
